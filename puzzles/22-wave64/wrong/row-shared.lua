-- expect: goal exchange
-- part: row_sum
-- Right, with a tree of halves in 512 bytes of shared memory.
row_sum = tl.jit(function(A, THREADS)
  local M, N = T.const "M, N"
  A: T.Tensor({M, N}, T.float32)
  local B = T.empty({M}, T.float32)
  for bx in T.Kernel(M, {threads = THREADS}) do
    local t = T.get_thread_binding()
    local v = T.alloc_var(T.float32, 0)
    local part = T.alloc_shared({THREADS}, T.float32)
    for k in T.Serial(T.ceildiv(N, THREADS)) do
      v += A[bx, k * THREADS + t]
    end
    part[t] = v
    for r in T.Serial(7) do
      T.sync_threads()
      if t < 64 >> r then
        part[t] += part[t + (64 >> r)]
      end
    end
    T.sync_threads()
    if t == 0 then
      B[bx] = part[0]
    end
  end
  return B
end)
