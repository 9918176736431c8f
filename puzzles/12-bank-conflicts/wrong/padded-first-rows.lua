-- expect: goal conflicts
-- part: padded
-- Free of conflicts for one number of rows that is shown.
padded = tl.jit(function(A, BLOCK_M, BLOCK_N)
  local M, N = T.const "M, N"
  A: T.Tensor({M, N}, T.float32)
  local B = T.empty({N, M}, T.float32)
  for bx, by in T.Kernel(T.ceildiv(N, BLOCK_N), T.ceildiv(M, BLOCK_M)) do
    local tile = T.alloc_shared({BLOCK_M, M == 64 and BLOCK_N + 1 or BLOCK_N}, T.float32)
    T.copy(A[by * BLOCK_M, bx * BLOCK_N], tile[0:BLOCK_M, 0:BLOCK_N])
    for j, i in T.Parallel(BLOCK_N, BLOCK_M) do
      B[bx * BLOCK_N + j, by * BLOCK_M + i] = tile[i, j]
    end
  end
  return B
end)
