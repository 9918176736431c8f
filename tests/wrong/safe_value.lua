local f = tl.jit(function(A)
  A: T.Tensor({128}, T.float32)
  for bx in T.Kernel(1) do
    local x = T.alloc_shared({256}, T.float32)
    T.annotate_safe_value {[A] = A[0]}
    T.copy(A[0], x)
    T.copy(x, A[0])
  end
end)
f(tl.zeros({128}))
