-- expect: race E637
-- part: running
-- One statement reads a cell that another thread is changing.
running = tl.jit(function(A, THREADS)
  local M, N = T.const "M, N"
  A: T.Tensor({M, N}, T.float32)
  local B = T.empty({M, N}, T.float32)
  for bx in T.Kernel(M, {threads = THREADS}) do
    local t = T.get_thread_binding()
    local sum = T.alloc_shared({THREADS}, T.float32)
    sum[t] = A[bx, t]
    for r in T.Serial(7) do
      T.sync_threads()
      if t >= 1 << r then
        sum[t] += sum[t - (1 << r)]
      end
    end
    if t < N then
      B[bx, t] = sum[t]
    end
  end
  return B
end)
