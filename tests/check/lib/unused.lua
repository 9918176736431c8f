-- What another size reads is no unused buffer; what no size reads is one.
local rod = tl.jit(function(A)
  local N = T.const "N"
  A: T.Tensor({N}, T.float32)
  local B = T.empty({N}, T.float32)
  for _ in T.Kernel(1, {threads = 64}) do
    local t = T.get_thread_binding()
    local rod = T.alloc_shared({64}, T.float32)
    local rest = T.alloc_shared({64}, T.float32)
    local sum = T.alloc_fragment({1}, T.float32)
    local new = T.alloc_var(T.float32, 0)
    local nobody = T.alloc_var(T.float32, 0)
    if t < N then rod[t] = A[t] end
    if t > 0 and t < N - 1 then
      new = rod[t - 1] + rod[t + 1]
      nobody = new
    end
    T.sync_threads()
    if t > 0 and t < N - 1 then rod[t] = new end
    for k in T.Serial(N // 4) do
      T.copy(A[k * 4:k * 4 + 4], rest[0:4])
      T.reduce_sum(rest[0:4], sum, 0)
    end
    T.sync_threads()
    if t < N then B[t] = rod[t] end
  end
  return B
end, {target = "sim -arch=sm_80"})
for _, n in ipairs {1, 2, 3} do
  print(n)
  io.stdout:flush()
  rod:compile {N = n}
end
