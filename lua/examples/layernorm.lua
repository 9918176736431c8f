-- layernorm.lua: y = (x - mean) / sqrt(variance + eps) * w + b for each row.
--
-- The row stays in registers, so the variance can be taken the exact way, in a
-- second sum of (x - mean)^2.  Kernels that read a row only once use
-- mean(x^2) - mean^2 instead, which loses digits when the mean is large.
-- Behind the end of a row the tile holds zeros; they would count as (0 -
-- mean)^2, so the second sum leaves them out.
--
--     moontile lua/examples/layernorm.lua [small]
local ex = require "moontile.examples.frame"

local layernorm = tl.jit(function(X, W, B, eps, BM, BN)
  local M, N = T.const "M, N"
  X: T.Tensor({M, N}, T.float16)
  W: T.Tensor({N}, T.float16)
  B: T.Tensor({N}, T.float16)
  eps: T.float32
  local Y = T.empty({M, N}, T.float16)
  for bx in T.Kernel(T.ceildiv(M, BM), {threads = 128}) do
    local x = T.alloc_fragment({BM, BN}, T.float32)
    local sq = T.alloc_fragment({BM, BN}, T.float32)
    local w = T.alloc_fragment({BN}, T.float32)
    local b = T.alloc_fragment({BN}, T.float32)
    local mean = T.alloc_fragment({BM}, T.float32)
    local r = T.alloc_fragment({BM}, T.float32)
    T.copy(X[bx * BM, 0], x)
    T.copy(W[0], w)
    T.copy(B[0], b)
    T.reduce_sum(x, mean, 1)
    for i in T.Parallel(BM) do
      mean[i] = mean[i] / N
    end
    for i, j in T.Parallel(BM, BN) do
      x[i, j] -= mean[i]
      sq[i, j] = j < N and x[i, j] * x[i, j] or 0
    end
    T.reduce_sum(sq, r, 1)
    for i in T.Parallel(BM) do
      r[i] = T.rsqrt(r[i] / N + eps)
    end
    for i, j in T.Parallel(BM, BN) do
      x[i, j] = x[i, j] * r[i] * w[j] + b[j]
    end
    T.copy(x, Y[bx * BM, 0])
  end
  return Y
end)

local function check(M, N)
  local x = tl.randn({M, N}, "float16")
  local w = tl.randn({N}, "float16")
  local b = tl.randn({N}, "float16")
  local BN = ex.power_of_two(N)
  local y = layernorm(x, w, b, 1e-5, 2, BN)
  local what = ("%dx%d"):format(M, N)
  -- rounding to float16; float32 sums where x * w and b cancel
  ex.close(what, y, tl.ref.layernorm(x, w, b, {eps = 1e-5}), ex.tolerance("float16", 16))
  local kernel = layernorm:compile(x, w, b, 1e-5, 2, BN)
  ex.time(what, {byte = 2 * 2 * M * N}, kernel, x, w, b, 1e-5)
end

tl.manual_seed(6)
if ex.small then
  check(3, 77)
  check(4, 256)
else
  check(4096, 4096)
  check(2047, 5000)
end
