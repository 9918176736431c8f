local matmul = tl.jit(function(A, B, BM, BN, BK)
  local M, N, K = T.const "M, N, K"
  A: T.Tensor({M, K}, T.float16)
  B: T.Tensor({K, N}, T.float16)
  local C = T.empty({M, N}, T.float16)
  for bx, by in T.Kernel(N / BN, T.ceildiv(M, BM)) do
    local As = T.alloc_shared({BM, BK}, T.float16)
    local Bs = T.alloc_shared({BK, BN}, T.float16)
    local Cl = T.alloc_fragment({BM, BN}, T.float32)
    T.clear(Cl)
    for ko in T.Pipelined(T.ceildiv(K, BK), {num_stages = 3}) do
      T.copy(A[by * BM, ko * BK], As)
      T.copy(B[ko * BK, bx * BN], Bs)
      T.gemm(As, Bs, Cl)
    end
    T.copy(Cl, C[by * BM, bx * BN])
  end
  return C
end)
matmul:compile{M = 256, N = 250, K = 128, BM = 64, BN = 64, BK = 32}
