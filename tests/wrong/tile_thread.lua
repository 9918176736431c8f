local f = tl.jit(function(X)
  X: T.Tensor({64, 64}, T.float32)
  local C = T.empty({64, 64}, T.float32)
  for _ in T.Kernel(1, {threads = 64}) do
    local s = T.alloc_shared({64, 64}, T.float32)
    local tx = T.get_thread_binding()
    T.fill(s, 0)
    local f = T.alloc_fragment({64}, T.float32)
    T.copy(X[tx, :], f)
    T.copy(f, s[0, :])
    T.copy(s, C)
  end
  return C
end)
f:compile()
