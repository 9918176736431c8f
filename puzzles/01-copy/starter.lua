-- 1. Copy: B = A, three times.  复制：B = A，共三次。

-- Given: one block, one thread, one element after the other.
copy_serial = tl.jit(function(A)
  local N = T.const "N"
  A: T.Tensor({N}, T.float16)
  local B = T.empty({N}, T.float16)
  for bx in T.Kernel(1, {threads = 1}) do
    for i in T.Serial(N) do
      B[i] = A[i]
    end
  end
  return B
end)

-- One block, 128 threads.
copy_threads = tl.jit(function(A)
  local N = T.const "N"
  A: T.Tensor({N}, T.float16)
  local B = T.empty({N}, T.float16)
  for bx in T.Kernel(1, {threads = 128}) do
    -- your turn: this copies one element; let the threads copy all N
    -- 请在这里写：这一行只复制一个元素；让各线程复制全部 N 个
    B[0] = A[0]
  end
  return B
end)

-- Many blocks: block bx copies the tile of BLOCK elements that begins at bx * BLOCK.
copy_blocks = tl.jit(function(A, BLOCK)
  local N = T.const "N"
  A: T.Tensor({N}, T.float16)
  local B = T.empty({N}, T.float16)
  for bx in T.Kernel(1, {threads = 128}) do
    -- your turn: enough blocks for N elements, and in each a whole tile
    -- 请在这里写：启动足够多的线程块，每块复制整个分块
    B[bx * BLOCK] = A[bx * BLOCK]
  end
  return B
end)
