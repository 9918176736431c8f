-- gemv.lua: y = A x, a matrix times one vector: what a language model does for
-- each token it generates.
--
-- Every element of A is used once, so memory bandwidth is the limit and tensor
-- cores are no help.  A block takes BM rows and adds up BK columns at a time
-- element by element; only at the very end are the BK partial sums of a row,
-- which lie in different threads, added to one another.
--
--     moontile lua/examples/gemv.lua [small]
local ex = require "moontile.examples.frame"

local gemv = tl.jit(function(A, x, BM, BK)
  local M, K = T.const "M, K"
  A: T.Tensor({M, K}, T.float16)
  x: T.Tensor({K}, T.float16)
  local y = T.empty({M}, T.float16)
  for bx in T.Kernel(T.ceildiv(M, BM), {threads = 128}) do
    local Al = T.alloc_fragment({BM, BK}, T.float16)
    local xl = T.alloc_fragment({BK}, T.float16)
    local part = T.alloc_fragment({BM, BK}, T.float32)
    local sum = T.alloc_fragment({BM}, T.float32)
    T.clear(part)
    for ko in T.Pipelined(T.ceildiv(K, BK), {num_stages = 2}) do
      T.copy(A[bx * BM, ko * BK], Al)
      T.copy(x[ko * BK], xl)
      for i, j in T.Parallel(BM, BK) do
        part[i, j] += Al[i, j]:astype(T.float32) * xl[j]:astype(T.float32)
      end
    end
    T.reduce_sum(part, sum, 1)
    T.copy(sum, y[bx * BM])
  end
  return y
end)

local function check(M, K)
  local a = tl.randn({M, K}, "float16")
  local x = tl.randn({K}, "float16")
  local what = ("%dx%d"):format(M, K)
  ex.close(what, gemv(a, x, 16, 256), tl.ref.gemv(a, x), ex.tolerance("float16", K))
  ex.time(what, {byte = 2 * M * K}, gemv:compile(a, x, 16, 256), a, x)
end

tl.manual_seed(7)
if ex.small then
  check(33, 515)
else
  check(4096, 4096)
  check(4001, 8191)
end
