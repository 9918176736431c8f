-- expect: unwritten hidden
-- part: calibrate
-- Right for five groups, as in the first case.

calibrate = tl.jit(function(A, s, first, BLOCK_M, BLOCK_N)
  local M, N, G = T.const "M, N, G"
  A: T.Tensor({M, N}, T.float32)
  s: T.Tensor({G}, T.float32)
  first: T.Tensor({G + 1}, T.int32)
  local B = T.empty({M, N}, T.float32)
  for bx, by in T.Kernel(T.ceildiv(N, BLOCK_N), T.ceildiv(M, BLOCK_M) + G) do
    local g = T.alloc_var(T.int32, -1)
    local row = T.alloc_var(T.int32, 0)
    local t = T.alloc_var(T.int32, by)
    for i in T.serial(5) do
      local tiles = T.ceildiv(first[i + 1] - first[i], BLOCK_M)
      if t >= 0 and t < tiles then
        g = i
        row = first[i] + t * BLOCK_M
      end
      t -= tiles
    end
    if g >= 0 then
      for i, j in T.Parallel(BLOCK_M, BLOCK_N) do
        if row + i < first[g + 1] and bx * BLOCK_N + j < N then
          B[row + i, bx * BLOCK_N + j] = A[row + i, bx * BLOCK_N + j] * s[g]
        end
      end
    end
  end
  return B
end)
