local f = tl.jit(function(X)
  X: T.Tensor({64, 64}, T.float32)
  local C = T.empty({64, 64}, T.float32)
  for _ in T.Kernel(1, {threads = 64}) do
    local s = T.alloc_shared({64, 64}, T.float32)
    local t = T.get_thread_binding()
    T.fill(s, 0)
    for j in T.Parallel(64) do s[t%8, j] = X[t%8, j] end
    T.copy(s, C)
  end
  return C
end)
f:compile()
