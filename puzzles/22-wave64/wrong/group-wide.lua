-- expect: compile E829
-- part: group_sum
-- Six steps across 64 lanes: two groups in one, and twice the sum on 32.
group_sum = tl.jit(function(A, THREADS)
  local N = T.const "N"
  A: T.Tensor({N}, T.float32)
  local B = T.empty({T.ceildiv(N, 32)}, T.float32)
  for bx in T.Kernel(T.ceildiv(N, THREADS), {threads = THREADS}) do
    local t = T.get_thread_binding()
    local v = T.alloc_var(T.float32, 0)
    v = A[bx * THREADS + t]
    for r in T.Serial(6) do
      v += T.shfl_xor(v, 32 >> r, {width = 64})
    end
    if t % 32 == 0 then
      B[bx * (THREADS // 32) + t // 32] = v
    end
  end
  return B
end)
