-- expect: weak
-- part: running
-- The sums are float16.
running = tl.jit(function(A, THREADS)
  local M, N = T.const "M, N"
  A: T.Tensor({M, N}, T.float32)
  local B = T.empty({M, N}, T.float32)
  for bx in T.Kernel(M, {threads = THREADS}) do
    local t = T.get_thread_binding()
    local sum = T.alloc_shared({THREADS}, T.float16)
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
