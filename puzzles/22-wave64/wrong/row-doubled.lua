-- expect: wrong factor
-- part: row_sum
-- The sum of 64 lanes, stored by each 32 of them: twice the sum.
row_sum = tl.jit(function(A, THREADS)
  local M, N = T.const "M, N"
  A: T.Tensor({M, N}, T.float32)
  local B = T.empty({M}, T.float32)
  for bx in T.Kernel(M, {threads = THREADS}) do
    local t = T.get_thread_binding()
    local v = T.alloc_var(T.float32, 0)
    local part = T.alloc_shared({THREADS // 32}, T.float32)
    for k in T.Serial(T.ceildiv(N, THREADS)) do
      v += A[bx, k * THREADS + t]
    end
    v = T.warp_reduce_sum(v)
    if t % 32 == 0 then
      part[t // 32] = v
    end
    T.sync_threads()
    if t == 0 then
      B[bx] = part[0] + part[1] + part[2] + part[3]
    end
  end
  return B
end)
