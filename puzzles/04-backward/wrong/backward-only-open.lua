-- expect: unwritten
-- part: backward
-- Writes where something comes back, and leaves the rest as it was.
backward = tl.jit(function(A, B, dC, BLOCK_M, BLOCK_N)
  local M, N = T.const "M, N"
  A: T.Tensor({M, N}, T.float16)
  B: T.Tensor({N}, T.float16)
  dC: T.Tensor({M, N}, T.float16)
  local dA = T.empty({M, N}, T.float16)
  for bx, by in T.Kernel(T.ceildiv(N, BLOCK_N), T.ceildiv(M, BLOCK_M), {threads = 128}) do
    for i, j in T.Parallel(BLOCK_M, BLOCK_N) do
      local r, c = by * BLOCK_M + i, bx * BLOCK_N + j
      if A[r, c] * B[c] > 0 then
        dA[r, c] = dC[r, c] * B[c]
      end
    end
  end
  return dA
end)
