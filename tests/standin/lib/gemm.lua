-- A product whose copies run ahead: what tests/standin prints in several ways.
local gemm = tl.jit(function(A, B)
  local M, N, K = T.const "M, N, K"
  A: T.Tensor({M, K}, T.float16)
  B: T.Tensor({K, N}, T.float16)
  local C = T.empty({M, N}, T.float32)
  for bx, by in T.Kernel(T.ceildiv(N, 64), T.ceildiv(M, 64), {threads = 128}) do
    local As = T.alloc_shared({64, 32}, T.float16)
    local Bs = T.alloc_shared({32, 64}, T.float16)
    local Cl = T.alloc_fragment({64, 64}, T.float32)
    T.clear(Cl)
    for k in T.Pipelined(T.ceildiv(K, 32), {num_stages = 2}) do
      T.copy(A[by * 64, k * 32], As)
      T.copy(B[k * 32, bx * 64], Bs)
      T.gemm(As, Bs, Cl)
    end
    T.copy(Cl, C[by * 64, bx * 64])
  end
  return C
end)
gemm:compile{M = 128, N = 128, K = 128}
