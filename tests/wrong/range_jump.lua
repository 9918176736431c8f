local f = tl.jit(function(X)
  X: T.Tensor({64, 64}, T.float32)
  local C = T.empty({64, 64}, T.float32)
  for _ in T.Kernel(1, {threads = 128}) do
    local s = T.alloc_shared({64, 64}, T.float32)
    local tx = T.get_thread_binding()
    for q in T.serial(2) do
      if q == 1 then
        if tx >= 64 then
          break
        end
      end
      T.copy(X, s)
    end
    T.copy(s, C)
  end
  return C
end, {target = "sim -arch=sm_80"})
f:compile()
