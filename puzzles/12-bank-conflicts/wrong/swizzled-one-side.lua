-- expect: wrong
-- part: swizzled
-- A swizzle by hand on the way in, and none on the way out.
swizzled = tl.jit(function(A, BLOCK_M, BLOCK_N)
  local M, N = T.const "M, N"
  A: T.Tensor({M, N}, T.float32)
  local B = T.empty({N, M}, T.float32)
  for bx, by in T.Kernel(T.ceildiv(N, BLOCK_N), T.ceildiv(M, BLOCK_M)) do
    local tile = T.alloc_shared({BLOCK_M, BLOCK_N}, T.float32)
    for i, j in T.Parallel(BLOCK_M, BLOCK_N) do
      tile[i, j ~ i] = A[by * BLOCK_M + i, bx * BLOCK_N + j]
    end
    for j, i in T.Parallel(BLOCK_N, BLOCK_M) do
      B[bx * BLOCK_N + j, by * BLOCK_M + i] = tile[i, j]
    end
  end
  return B
end)
