relaxed = tl.jit(function(A, ROUNDS, THREADS)
  local M, N = T.const "M, N"
  A: T.Tensor({M, N}, T.float32)
  local B = T.empty({M, N}, T.float32)
  for bx in T.Kernel(M, {threads = THREADS}) do
    local t = T.get_thread_binding()
    local rod = T.alloc_shared({THREADS}, T.float32)
    local new = T.alloc_var(T.float32, 0)
    rod[t] = A[bx, t]
    for r in T.Serial(ROUNDS) do
      T.sync_threads()
      if t > 0 and t < N - 1 then
        new = (rod[t - 1] + rod[t + 1]) / 2
      end
      T.sync_threads()
      if t > 0 and t < N - 1 then
        rod[t] = new
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
    local left = T.alloc_var(T.float32, 0)
    sum[t] = A[bx, t]
    for r in T.Serial(7) do
      T.sync_threads()
      if t >= 1 << r then
        left = sum[t - (1 << r)]
      end
      T.sync_threads()
      if t >= 1 << r then
        sum[t] += left
      end
    end
    if t < N then
      B[bx, t] = sum[t]
    end
  end
  return B
end)
