-- expect: race E603
-- part: group_sum
-- Sums by shfl_down are whole in lane 0 only, and every lane stores its own.
group_sum = tl.jit(function(A, THREADS)
  local N = T.const "N"
  A: T.Tensor({N}, T.float32)
  local B = T.empty({T.ceildiv(N, 32)}, T.float32)
  for bx in T.Kernel(T.ceildiv(N, THREADS), {threads = THREADS}) do
    local t = T.get_thread_binding()
    local v = T.alloc_var(T.float32, 0)
    v = A[bx * THREADS + t]
    for r in T.Serial(5) do
      v += T.shfl_down(v, 16 >> r)
    end
    B[bx * (THREADS // 32) + t // 32] = v
  end
  return B
end)
