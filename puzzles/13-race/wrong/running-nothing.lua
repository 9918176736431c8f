-- expect: wrong
-- part: running
-- No rounds at all: B is A.
running = tl.jit(function(A, THREADS)
  local M, N = T.const "M, N"
  A: T.Tensor({M, N}, T.float32)
  local B = T.empty({M, N}, T.float32)
  for bx in T.Kernel(M, {threads = THREADS}) do
    local t = T.get_thread_binding()
    local sum = T.alloc_shared({THREADS}, T.float32)
    sum[t] = A[bx, t]
    if t < N then
      B[bx, t] = sum[t]
    end
  end
  return B
end)
