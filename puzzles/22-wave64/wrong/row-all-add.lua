-- expect: race E637
-- part: row_sum
-- Every group adds to one number in no order.
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
    for r in T.Serial(5) do
      v += T.shfl_xor(v, 16 >> r)
    end
    if t == 0 then
      part[0] = 0
    end
    T.sync_threads()
    if t % 32 == 0 then
      part[0] = part[0] + v
    end
    T.sync_threads()
    if t == 0 then
      B[bx] = part[0]
    end
  end
  return B
end)
