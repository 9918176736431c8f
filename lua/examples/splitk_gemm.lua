-- splitk_gemm.lua: C = A B for a small C and a long K.
--
-- A grid of C's tiles alone would leave most of a GPU idle: 256 x 256 has four
-- tiles of 128 x 128, and an H200 has 132 multiprocessors.  So K is split too:
-- block (bx, by, bz) computes its tile over one stretch of K, and the partial
-- tiles meet in memory by atomic addition.  The price is C in float32, set to
-- zero beforehand, and sums whose order differs from run to run.
--
--     moontile lua/examples/splitk_gemm.lua [small]
local ex = require "moontile.examples.frame"

local matmul = tl.jit(function(A, B, C, SPLIT, BM, BN, BK)
  local M, N, K = T.const "M, N, K"
  A: T.Tensor({M, K}, T.float16)
  B: T.Tensor({K, N}, T.float16)
  C: T.Tensor({M, N}, T.float32)
  local steps = T.ceildiv(T.ceildiv(K, BK), SPLIT)   -- of each block
  for bx, by, bz in T.Kernel(T.ceildiv(N, BN), T.ceildiv(M, BM), SPLIT, {threads = 128}) do
    local As = T.alloc_shared({BM, BK}, T.float16)
    local Bs = T.alloc_shared({BK, BN}, T.float16)
    local Cl = T.alloc_fragment({BM, BN}, T.float32)
    T.clear(Cl)
    for ko in T.Pipelined(steps, {num_stages = 2}) do
      local k = (bz * steps + ko) * BK               -- behind K: zeros
      T.copy(A[by * BM, k], As)
      T.copy(B[k, bx * BN], Bs)
      T.gemm(As, Bs, Cl)
    end
    T.atomic_add(C[by * BM, bx * BN], Cl)
  end
end)

local function check(M, N, K, split)
  local a = tl.randn({M, K}, "float16")
  local b = tl.randn({K, N}, "float16")
  local c = tl.zeros({M, N}, "float32")
  matmul(a, b, c, split, 64, 64, 64)
  local what = ("%dx%dx%d in %d"):format(M, N, K, split)
  ex.close(what, c, tl.ref.matmul(a, b), ex.tolerance("float32", K))
  ex.time(what, {flop = 2 * M * N * K}, matmul:compile(a, b, c, split, 64, 64, 64), a, b, c)
end

tl.manual_seed(14)
if ex.small then
  check(65, 33, 700, 4)
else
  check(256, 256, 16384, 16)
  check(130, 201, 10007, 7)
end
