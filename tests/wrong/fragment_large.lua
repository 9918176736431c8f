-- A fragment that no thread could keep its part of.
tl.set_target "sim -arch=sm_80"
local k = tl.jit(function(A)
  A: T.Tensor({4096, 4096}, "float32")
  for bx in T.Kernel(1, {threads = 64}) do
    local f = T.alloc_fragment({4096, 4096}, "float32")
    T.copy(A, f)
    T.copy(f, A)
  end
end)
k(tl.zeros({4096, 4096}, "float32"))
