-- expect: goal sectors
-- part: padded
-- No shared memory, no banks, and twice the sectors of A.
padded = tl.jit(function(A, BLOCK_M, BLOCK_N)
  local M, N = T.const "M, N"
  A: T.Tensor({M, N}, T.float32)
  local B = T.empty({N, M}, T.float32)
  for bx, by in T.Kernel(T.ceildiv(N, BLOCK_N), T.ceildiv(M, BLOCK_M)) do
    for j, i in T.Parallel(BLOCK_N, BLOCK_M) do
      B[bx * BLOCK_N + j, by * BLOCK_M + i] = A[by * BLOCK_M + i, bx * BLOCK_N + j]
    end
  end
  return B
end)
