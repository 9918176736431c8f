-- expect: unwritten E609
-- The grid has its two directions exchanged.
outer_add = tl.jit(function(A, B, BLOCK_M, BLOCK_N)
  local M, N = T.const "M, N"
  A: T.Tensor({M}, T.float16)
  B: T.Tensor({N}, T.float16)
  local C = T.empty({M, N}, T.float16)
  for bx, by in T.Kernel(T.ceildiv(M, BLOCK_M), T.ceildiv(N, BLOCK_N), {threads = 128}) do
    local a = T.alloc_fragment({BLOCK_M}, T.float16)
    local b = T.alloc_fragment({BLOCK_N}, T.float16)
    local c = T.alloc_fragment({BLOCK_M, BLOCK_N}, T.float16)
    T.copy(A[by * BLOCK_M], a)
    T.copy(B[bx * BLOCK_N], b)
    for i, j in T.Parallel(BLOCK_M, BLOCK_N) do
      c[i, j] = a[i] + b[j]
    end
    T.copy(c, C[by * BLOCK_M, bx * BLOCK_N])
  end
  return C
end)
