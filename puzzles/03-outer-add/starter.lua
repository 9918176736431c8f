-- 3. Outer add: C[i, j] = A[i] + B[j].  外加。

outer_add = tl.jit(function(A, B, BLOCK_M, BLOCK_N)
  local M, N = T.const "M, N"
  A: T.Tensor({M}, T.float16)
  B: T.Tensor({N}, T.float16)
  local C = T.empty({M, N}, T.float16)
  for bx, by in T.Kernel(1, 1, {threads = 128}) do
    -- your turn: enough blocks in both directions, and the sum in each element of the tile
    -- 请在这里写：两个方向上都要有足够的线程块；分块的每个元素写入和
    for i, j in T.Parallel(BLOCK_M, BLOCK_N) do
      C[i, j] = A[i]
    end
  end
  return C
end)
