-- expect: wrong
-- part: relaxed
-- Two rods in turn, and the answer is taken from the older one.
relaxed = tl.jit(function(A, ROUNDS, THREADS)
  local M, N = T.const "M, N"
  A: T.Tensor({M, N}, T.float32)
  local B = T.empty({M, N}, T.float32)
  for bx in T.Kernel(M, {threads = THREADS}) do
    local t = T.get_thread_binding()
    local two = T.alloc_shared({2, THREADS}, T.float32)
    two[0, t] = A[bx, t]
    two[1, t] = A[bx, t]
    for r in T.Serial(ROUNDS) do
      T.sync_threads()
      if t > 0 and t < N - 1 then
        two[(r + 1) % 2, t] = (two[r % 2, t - 1] + two[r % 2, t + 1]) / 2
      end
    end
    if t < N then
      B[bx, t] = two[0, t]
    end
  end
  return B
end)
