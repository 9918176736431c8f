-- expect: unwritten
-- Copied, not transposed: a matrix that is not square shows it.
transpose = tl.jit(function(A, BLOCK_M, BLOCK_N)
  local M, N = T.const "M, N"
  A: T.Tensor({M, N}, T.float32)
  local B = T.empty({N, M}, T.float32)
  for bx, by in T.Kernel(T.ceildiv(N, BLOCK_N), T.ceildiv(M, BLOCK_M)) do
    local tile = T.alloc_shared({BLOCK_M, BLOCK_N}, T.float32)
    T.copy(A[by * BLOCK_M, bx * BLOCK_N], tile)
    for i, j in T.Parallel(BLOCK_M, BLOCK_N) do
      B[by * BLOCK_M + i, bx * BLOCK_N + j] = tile[i, j]
    end
  end
  return B
end)
