-- rmsnorm.lua: y = x / sqrt(mean(x^2) + eps) * w for each row, the
-- normalisation in front of every block of a Llama-like model.
--
-- The rows are read once and written once and stay in registers in between.
-- Numbers are float16 in memory and float32 while they are added up: the copy
-- into a float32 fragment converts.  A tile is as wide as the next power of
-- two; the zeros that it reads behind the end of a row add nothing to the sum.
--
--     moontile lua/examples/rmsnorm.lua [small]
local ex = require "moontile.examples.frame"

local rmsnorm = tl.jit(function(X, W, eps, BM, BN)
  local M, N = T.const "M, N"
  X: T.Tensor({M, N}, T.float16)
  W: T.Tensor({N}, T.float16)
  eps: T.float32
  local Y = T.empty({M, N}, T.float16)
  for bx in T.Kernel(T.ceildiv(M, BM), {threads = 128}) do
    local x = T.alloc_fragment({BM, BN}, T.float32)
    local sq = T.alloc_fragment({BM, BN}, T.float32)
    local w = T.alloc_fragment({BN}, T.float32)
    local r = T.alloc_fragment({BM}, T.float32)
    T.copy(X[bx * BM, 0], x)
    T.copy(W[0], w)
    for i, j in T.Parallel(BM, BN) do
      sq[i, j] = x[i, j] * x[i, j]
    end
    T.reduce_sum(sq, r, 1)
    for i in T.Parallel(BM) do
      r[i] = T.rsqrt(r[i] / N + eps)
    end
    for i, j in T.Parallel(BM, BN) do
      x[i, j] = x[i, j] * r[i] * w[j]
    end
    T.copy(x, Y[bx * BM, 0])
  end
  return Y
end)

local function check(M, N)
  local x = tl.randn({M, N}, "float16")
  local w = tl.randn({N}, "float16")
  local BN = ex.power_of_two(N)
  local y = rmsnorm(x, w, 1e-5, 2, BN)
  local what = ("%dx%d"):format(M, N)
  -- all that shows is the rounding of the result to float16
  ex.close(what, y, tl.ref.rmsnorm(x, w, {eps = 1e-5}), ex.tolerance("float16", 1))
  ex.time(what, {byte = 2 * 2 * M * N}, rmsnorm:compile(x, w, 1e-5, 2, BN), x, w, 1e-5)
end

tl.manual_seed(5)
if ex.small then
  check(3, 77)
  check(4, 256)
else
  check(4096, 4096)
  check(2047, 5000)
end
