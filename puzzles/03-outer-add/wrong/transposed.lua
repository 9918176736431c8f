-- expect: wrong
-- A for the columns, B for the rows.
outer_add = tl.jit(function(A, B, BLOCK_M, BLOCK_N)
  local M, N = T.const "M, N"
  A: T.Tensor({M}, T.float16)
  B: T.Tensor({N}, T.float16)
  local C = T.empty({M, N}, T.float16)
  for bx, by in T.Kernel(T.ceildiv(N, BLOCK_N), T.ceildiv(M, BLOCK_M), {threads = 128}) do
    for i, j in T.Parallel(BLOCK_M, BLOCK_N) do
      C[by * BLOCK_M + i, bx * BLOCK_N + j] = A[bx * BLOCK_N + j] + B[by * BLOCK_M + i]
    end
  end
  return C
end)
