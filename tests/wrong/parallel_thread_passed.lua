local f = tl.jit(function(X)
  X: T.Tensor({64, 64}, T.float32)
  local C = T.empty({64, 64}, T.float32)
  for _ in T.Kernel(1, {threads = {32, 2}}) do
    local s = T.alloc_shared({64, 64}, T.float32)
    local lane, row = T.get_thread_binding(0), T.get_thread_binding(1)
    local v = T.alloc_var("int32", 0)
    v = T.warp_reduce_sum(lane) + row
    T.fill(s, 0)
    for i, j in T.Parallel(64, 64) do s[i, j] = v + X[i, j] + v end
    T.copy(s, C)
  end
  return C
end)
f:compile()
