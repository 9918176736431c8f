-- expect: wrong
-- part: relaxed
-- The ends take part, with 0 beyond them.
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
      if t < N then
        new = 0
        if t > 0 then
          new = rod[t - 1]
        end
        if t < N - 1 then
          new += rod[t + 1]
        end
        new = new / 2
      end
      T.sync_threads()
      if t < N then
        rod[t] = new
      end
    end
    if t < N then
      B[bx, t] = rod[t]
    end
  end
  return B
end)
