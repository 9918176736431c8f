-- expect: wrong visible
-- Right where one tile holds all hidden columns.
two_gemms = tl.jit(function(A, B, C, BLOCK_M, BLOCK_H, BLOCK_N, BLOCK_K)
  local M, K, H, N = T.const "M, K, H, N"
  A: T.Tensor({M, K}, T.float16)
  B: T.Tensor({K, H}, T.float16)
  C: T.Tensor({H, N}, T.float16)
  local D = T.empty({M, N}, T.float16)
  for bx, by in T.Kernel(T.ceildiv(N, BLOCK_N), T.ceildiv(M, BLOCK_M), {threads = 128}) do
    local As = T.alloc_shared({BLOCK_M, BLOCK_K}, T.float16)
    local Bs = T.alloc_shared({BLOCK_K, BLOCK_H}, T.float16)
    local Cs = T.alloc_shared({BLOCK_H, BLOCK_N}, T.float16)
    local hidden = T.alloc_fragment({BLOCK_M, BLOCK_H}, T.float32)
    local hidden16 = T.alloc_fragment({BLOCK_M, BLOCK_H}, T.float16)
    local out = T.alloc_fragment({BLOCK_M, BLOCK_N}, T.float32)
    T.clear(out)
    for h in T.Serial(1) do
      T.clear(hidden)
      for k in T.Pipelined(T.ceildiv(K, BLOCK_K), {num_stages = 2}) do
        T.copy(A[by * BLOCK_M, k * BLOCK_K], As)
        T.copy(B[k * BLOCK_K, h * BLOCK_H], Bs)
        T.gemm(As, Bs, hidden, {policy = T.GemmWarpPolicy.FullRow})
      end
      for i, j in T.Parallel(BLOCK_M, BLOCK_H) do
        hidden16[i, j] = T.max(hidden[i, j], 0)
      end
      T.copy(C[h * BLOCK_H, bx * BLOCK_N], Cs)
      T.gemm(hidden16, Cs, out, {policy = T.GemmWarpPolicy.FullRow})
    end
    T.copy(out, D[by * BLOCK_M, bx * BLOCK_N])
  end
  return D
end)
