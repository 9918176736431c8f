local f = tl.jit(function(X)
  X: T.Tensor({64, 64}, T.float32)
  local C = T.empty({64, 64}, T.float32)
  for _ in T.Kernel(1, {threads = 256}) do
    local s = T.alloc_shared({64, 64}, T.float32)
    local tx = T.get_thread_binding()
    if tx < 128 then
      T.copy(X, s)
      T.sync_threads()
      T.copy(s, C)
    end
  end
  return C
end, {target = "sim -arch=c500"})
f:compile()
