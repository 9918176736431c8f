-- expect: unwritten
-- part: group_sum
-- Lane and warp of the machine: on 64 lanes every other group is lost.
group_sum = tl.jit(function(A, THREADS)
  local N = T.const "N"
  A: T.Tensor({N}, T.float32)
  local B = T.empty({T.ceildiv(N, 32)}, T.float32)
  for bx in T.Kernel(T.ceildiv(N, THREADS), {threads = THREADS}) do
    local t = T.get_thread_binding()
    local v = T.alloc_var(T.float32, 0)
    v = A[bx * THREADS + t]
    for r in T.Serial(5) do
      v += T.shfl_xor(v, 16 >> r)
    end
    if T.get_lane_idx() == 0 then
      B[bx * (THREADS // 32) + T.get_warp_idx()] = v
    end
  end
  return B
end)
