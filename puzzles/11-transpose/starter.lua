-- 11. Transpose: B[j, i] = A[i, j].                          11. 转置：B[j, i] = A[i, j]
transpose = tl.jit(function(A, BLOCK_M, BLOCK_N)
  local M, N = T.const "M, N"
  A: T.Tensor({M, N}, T.float32)
  local B = T.empty({N, M}, T.float32)
  for bx, by in T.Kernel(T.ceildiv(N, BLOCK_N), T.ceildiv(M, BLOCK_M)) do
    -- Right, but it moves half as many sectors again as it has to.
    -- your turn: bring the tile into shared memory first, and read it there by columns
    -- 结果正确，但多搬了一半的扇区。请在这里改：先把块搬进共享内存，再在那里按列读
    for j, i in T.Parallel(BLOCK_N, BLOCK_M) do
      B[bx * BLOCK_N + j, by * BLOCK_M + i] = A[by * BLOCK_M + i, bx * BLOCK_N + j]
    end
  end
  return B
end)
