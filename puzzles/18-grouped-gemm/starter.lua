-- 18. Uneven nights

-- Block (bx, by) works on column bx of the tiles; `by` counts the tiles of all groups.
calibrate = tl.jit(function(A, s, first, BLOCK_M, BLOCK_N)
  local M, N, G = T.const "M, N, G"
  A: T.Tensor({M, N}, T.float32)
  s: T.Tensor({G}, T.float32)
  first: T.Tensor({G + 1}, T.int32)
  local B = T.empty({M, N}, T.float32)
  for bx, by in T.Kernel(T.ceildiv(N, BLOCK_N), T.ceildiv(M, BLOCK_M) + G) do
    local g = T.alloc_var(T.int32, 0)
    local row = T.alloc_var(T.int32, by * BLOCK_M)
    -- your turn: which group g does this block belong to, and which is its first row?
    for i, j in T.Parallel(BLOCK_M, BLOCK_N) do
      if row + i < M and bx * BLOCK_N + j < N then
        B[row + i, bx * BLOCK_N + j] = A[row + i, bx * BLOCK_N + j] * s[g]
      end
    end
  end
  return B
end)

grouped = tl.jit(function(A, B, first, BLOCK_M, BLOCK_N, BLOCK_K)
  local M, N, K, G = T.const "M, N, K, G"
  A: T.Tensor({M, K}, T.float16)
  B: T.Tensor({G, K, N}, T.float16)
  first: T.Tensor({G + 1}, T.int32)
  local C = T.empty({M, N}, T.float32)
  for bx, by in T.Kernel(T.ceildiv(N, BLOCK_N), T.ceildiv(M, BLOCK_M) + G) do
    -- your turn: find the tile as above, then multiply it with B[g, :, :]
  end
  return C
end)
