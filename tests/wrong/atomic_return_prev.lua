local f = tl.jit(function(A)
  A: T.Tensor({128}, T.float32)
  for bx in T.Kernel(1) do
    local x = T.alloc_shared({128}, T.float32)
    T.fill(x, 1)
    local old = T.atomic_add(A, x, {return_prev = true})
  end
end)
f(tl.zeros({128}))
