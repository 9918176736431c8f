local f = tl.jit(function(X)
  X: T.Tensor({64, 64}, T.float32)
  local C = T.empty({64}, T.float32)
  for _ in T.Kernel(1, {threads = 256}) do
    local x, sum = T.alloc_fragment({64, 64}, T.float32), T.alloc_fragment({64}, T.float32)
    local tx = T.get_thread_binding()
    if tx < 40 then
      T.copy(X, x)
      T.reduce_sum(x, sum, 1)
      T.copy(sum, C)
    end
  end
  return C
end, {target = "sim -arch=sm_80"})
f:compile()
