matmul = tl.jit(function(A, B, BM, BN, BK)
  local M, N, K = T.const "M, N, K"
  A: T.Tensor({M, K}, T.float16)
  B: T.Tensor({K, N}, T.float16)
  local C = T.empty({M, N}, T.float16)
  for bx, by in T.Kernel(T.ceildiv(N, BN), T.ceildiv(M, BM), {threads = 128}) do
    local As = T.alloc_shared({BM, BK}, T.float16)
    local Bs = T.alloc_shared({BK, BN}, T.float16)
    local Cl = T.alloc_fragment({BM, BN}, T.float32)
    T.clear(Cl)
    for ko in T.Pipelined(T.ceildiv(K, BK), {num_stages = 3}) do
      T.copy(A[by * BM, ko * BK], As)   -- outside A: zeros
      T.copy(B[ko * BK, bx * BN], Bs)
      T.gemm(As, Bs, Cl)
    end
    for i, j in T.Parallel(BM, BN) do
      Cl[i, j] = T.max(Cl[i, j], 0)
    end
    T.copy(Cl, C[by * BM, bx * BN])
  end
  return C
end)
k = matmul:compile {M = 128, N = 96, K = 100, BM = 64, BN = 64, BK = 32}
