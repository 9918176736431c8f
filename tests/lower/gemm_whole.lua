-- The whole thread program of a plain product on Hopper: roles, a ring of four
-- stages, pairs of blocks with multicast, a loop over tiles in panels, accumulators
-- that are never zeroed, one group in flight, results through stmatrix and TMA.
local BM, BN, BK = 128, 256, 64
local product = tl.jit(function(A, B)
  local M, N, K = T.const "M, N, K"
  A: T.Tensor({M, K}, T.float16)
  B: T.Tensor({K, N}, T.float16)
  local C = T.empty({M, N}, T.float16)
  for bx, by in T.Kernel(T.ceildiv(N, BN), T.ceildiv(M, BM), {threads = 256}) do
    local As = T.alloc_shared({BM, BK}, T.float16)
    local Bs = T.alloc_shared({BK, BN}, T.float16)
    local Cl = T.alloc_fragment({BM, BN}, T.float32)
    T.clear(Cl)
    for ko in T.Pipelined(T.ceildiv(K, BK), {num_stages = 4}) do
      T.copy(A[by * BM, ko * BK], As)
      T.copy(B[ko * BK, bx * BN], Bs)
      T.gemm(As, Bs, Cl)
    end
    T.copy(Cl, C[by * BM, bx * BN])
  end
  return C
end)
print((product:compile {M = 4096, N = 4096, K = 4096}:retarget "sim -arch=sm_90a":ir "thread"))
