-- expect: goal exchange
-- part: group_sum
-- Right, through shared memory: no shuffle at all.
group_sum = tl.jit(function(A, THREADS)
  local N = T.const "N"
  A: T.Tensor({N}, T.float32)
  local B = T.empty({T.ceildiv(N, 32)}, T.float32)
  for bx in T.Kernel(T.ceildiv(N, THREADS), {threads = THREADS}) do
    local t = T.get_thread_binding()
    local v = T.alloc_var(T.float32, 0)
    local s = T.alloc_shared({THREADS}, T.float32)
    s[t] = A[bx * THREADS + t]
    T.sync_threads()
    if t % 32 == 0 then
      for k in T.Serial(32) do
        v += s[t + k]
      end
    end
    if t % 32 == 0 then
      B[bx * (THREADS // 32) + t // 32] = v
    end
  end
  return B
end)
