local f = tl.jit(function(X)
  X: T.Tensor({64, 64}, T.float32)
  local C = T.empty({64, 64}, T.float32)
  for _ in T.Kernel(1, {threads = 64}) do
    local s = T.alloc_shared({64, 64}, T.float32)
    local tx = T.get_thread_binding()
    T.fill(s, 0)
    local v = T.alloc_var("int32", 0)
    v = tx // 32
    for i, j in T.Parallel(64, 64) do
      s[i, j] = X[i, j] + v
    end
    T.copy(s, C)
  end
  return C
end)
f:compile()
