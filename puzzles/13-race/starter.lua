-- 13. A race: a thread for each cell, and neighbours that read each other's.
--     数据竞争：每个线程负责一个格子，邻居之间互相读取。
relaxed = tl.jit(function(A, ROUNDS, THREADS)
  local M, N = T.const "M, N"
  A: T.Tensor({M, N}, T.float32)
  local B = T.empty({M, N}, T.float32)
  for bx in T.Kernel(M, {threads = THREADS}) do
    local t = T.get_thread_binding()
    local rod = T.alloc_shared({THREADS}, T.float32)
    rod[t] = A[bx, t]
    for r in T.Serial(ROUNDS) do
      if t > 0 and t < N - 1 then
        -- your turn: between reading the neighbours and writing, all threads must meet
        -- 请在这里改：读完邻居之后、写入之前，所有线程必须会合
        rod[t] = (rod[t - 1] + rod[t + 1]) / 2
      end
    end
    if t < N then
      B[bx, t] = rod[t]
    end
  end
  return B
end)

running = tl.jit(function(A, THREADS)
  local M, N = T.const "M, N"
  A: T.Tensor({M, N}, T.float32)
  local B = T.empty({M, N}, T.float32)
  for bx in T.Kernel(M, {threads = THREADS}) do
    local t = T.get_thread_binding()
    local sum = T.alloc_shared({THREADS}, T.float32)
    sum[t] = A[bx, t]
    -- your turn: seven rounds; in round r a cell adds the one 1 << r further left
    -- 请在这里写：共七轮；第 r 轮，每个格子加上左边相距 1 << r 的那一个
    if t < N then
      B[bx, t] = sum[t]
    end
  end
  return B
end)
