-- Kernels whose time lines the tests look at.
local M = {}

-- C = A B, a pipeline of `stages`.
M.gemm = tl.jit(function(A, B, stages, threads)
  local M, N, K = T.const "M, N, K"
  A: T.Tensor({M, K}, T.float16)
  B: T.Tensor({K, N}, T.float16)
  local C = T.empty({M, N}, T.float32)
  for bx, by in T.Kernel(T.ceildiv(N, 64), T.ceildiv(M, 64), {threads = threads}) do
    local As = T.alloc_shared({64, 32}, T.float16)
    local Bs = T.alloc_shared({32, 64}, T.float16)
    local Cl = T.alloc_fragment({64, 64}, T.float32)
    T.clear(Cl)
    for k in T.Pipelined(T.ceildiv(K, 32), {num_stages = stages}) do
      T.copy(A[by * 64, k * 32], As)
      T.copy(B[k * 32, bx * 64], Bs)
      T.gemm(As, Bs, Cl)
    end
    T.copy(Cl, C[by * 64, bx * 64])
  end
  return C
end)

-- Sums of rows, with a softmax-like chain of elementwise work.
M.rows = tl.jit(function(A, BM)
  local M, N = T.const "M, N"
  A: T.Tensor({M, N}, T.float32)
  local S = T.empty({M}, T.float32)
  for bx in T.Kernel(T.ceildiv(M, BM), {threads = 64}) do
    local a = T.alloc_fragment({BM, N}, T.float32)
    local s = T.alloc_fragment({BM}, T.float32)
    T.copy(A[bx * BM, 0], a)
    for i, j in T.Parallel(BM, N) do
      a[i, j] = T.exp2(a[i, j])
    end
    T.reduce_sum(a, s, 1)
    T.copy(s, S[bx * BM])
  end
  return S
end)

-- Threads by name: a producer fills a buffer, consumers wait for it.
M.handed = tl.jit(function(A)
  local N = T.const "N"
  A: T.Tensor({N}, T.float32)
  local B = T.empty({N}, T.float32)
  for bx in T.Kernel(T.ceildiv(N, 256), {threads = 64}) do
    local s = T.alloc_shared({256}, T.float32)
    for i in T.Parallel(256) do
      s[i] = A[bx * 256 + i]
    end
    T.sync_threads()
    for i in T.Parallel(256) do
      B[bx * 256 + i] = s[255 - i] * 2
    end
  end
  return B
end)

return M
