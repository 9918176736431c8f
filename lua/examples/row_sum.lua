-- row_sum.lua: y[i] = sum of row i, the plainest reduction.
--
-- T.reduce_sum adds across threads: shuffles inside a warp, shared memory
-- between warps.  That is dear, so it stands behind the loop: inside, every
-- thread only adds to registers of its own.
--
--     moontile lua/examples/row_sum.lua [small]
local ex = require "moontile.examples.frame"

local row_sum = tl.jit(function(X, BM, BN)
  local M, N = T.const "M, N"
  X: T.Tensor({M, N}, T.float32)
  local Y = T.empty({M}, T.float32)
  for bx in T.Kernel(T.ceildiv(M, BM), {threads = 128}) do
    local x = T.alloc_fragment({BM, BN}, T.float32)
    local part = T.alloc_fragment({BM, BN}, T.float32)
    local sum = T.alloc_fragment({BM}, T.float32)
    T.clear(part)
    for k in T.Pipelined(T.ceildiv(N, BN), {num_stages = 2}) do
      T.copy(X[bx * BM, k * BN], x)
      for i, j in T.Parallel(BM, BN) do
        part[i, j] += x[i, j]
      end
    end
    T.reduce_sum(part, sum, 1)
    T.copy(sum, Y[bx * BM])
  end
  return Y
end)

local function check(M, N)
  local x = tl.randn({M, N}, "float32")
  local what = ("%dx%d"):format(M, N)
  ex.close(what, row_sum(x, 16, 256), tl.ref.sum(x, 1), ex.tolerance("float32", N))
  ex.time(what, {byte = 4 * M * N}, row_sum:compile(x, 16, 256), x)
end

tl.manual_seed(8)
if ex.small then
  check(17, 700)
else
  check(4096, 16384)
  check(4095, 10001)
end
