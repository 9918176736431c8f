-- expect: goal sectors
-- Right, straight from A to B: each sector of A is moved twice.
transpose = tl.jit(function(A, BLOCK_M, BLOCK_N)
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
