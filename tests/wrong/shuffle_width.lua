-- Groups of lanes that no machine has: refused while the kernel is compiled.
local f = tl.jit(function(X)
  X: T.Tensor({64}, "int32")
  local C = T.empty({64}, "int32")
  for bx in T.Kernel(1, {threads = 64}) do
    local tx = T.get_thread_binding()
    C[tx] = T.shfl_xor(X[tx], 1, {width = 16}) + T.shfl_up(X[tx], 3, {width = 12})
  end
  return C
end, {target = "sim -arch=sm_80"})
f(tl.arange(64, "int32"))
