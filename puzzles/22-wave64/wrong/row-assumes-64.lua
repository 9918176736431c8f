-- expect: compile E829
-- part: row_sum
-- Six steps and two numbers: on 32 lanes the sixth step adds a lane to itself.
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
    for r in T.Serial(6) do
      v += T.shfl_xor(v, 32 >> r, {width = 64})
    end
    if t % 64 == 0 then
      part[t // 64] = v
    end
    T.sync_threads()
    if t == 0 then
      B[bx] = part[0] + part[1]
    end
  end
  return B
end)
