local f = tl.jit(function(A)
  A: T.Tensor({128}, T.float32)
  local C = T.empty({128}, T.float32)
  for bx in T.Kernel(1) do
    local x = T.alloc_shared({128}, T.float32)
    T.copy(x, C)
    T.copy(A, x)
  end
  return C
end)
f(tl.zeros({128}))
