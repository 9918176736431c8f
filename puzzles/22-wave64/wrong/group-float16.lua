-- expect: weak
-- part: group_sum
-- A float16 variable: each step rounds to eleven bits.
group_sum = tl.jit(function(A, THREADS)
  local N = T.const "N"
  A: T.Tensor({N}, T.float32)
  local B = T.empty({T.ceildiv(N, 32)}, T.float32)
  for bx in T.Kernel(T.ceildiv(N, THREADS), {threads = THREADS}) do
    local t = T.get_thread_binding()
    local v = T.alloc_var(T.float16, 0)
    v = A[bx * THREADS + t]
    for r in T.Serial(5) do
      v += T.shfl_xor(v, 16 >> r)
    end
    if t % 32 == 0 then
      B[bx * (THREADS // 32) + t // 32] = v
    end
  end
  return B
end)
