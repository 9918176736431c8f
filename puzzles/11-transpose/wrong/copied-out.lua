-- expect: race E604
-- The tile goes out as it came in: 32 rows of 64, where 64 rows of 32 belong.
transpose = tl.jit(function(A, BLOCK_M, BLOCK_N)
  local M, N = T.const "M, N"
  A: T.Tensor({M, N}, T.float32)
  local B = T.empty({N, M}, T.float32)
  for bx, by in T.Kernel(T.ceildiv(N, BLOCK_N), T.ceildiv(M, BLOCK_M)) do
    local tile = T.alloc_shared({BLOCK_M, BLOCK_N}, T.float32)
    T.copy(A[by * BLOCK_M, bx * BLOCK_N], tile)
    T.copy(tile, B[bx * BLOCK_N, by * BLOCK_M])
  end
  return B
end)
