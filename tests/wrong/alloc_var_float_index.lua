local f = tl.jit(function(A)
  A: T.Tensor({1024}, T.float32)
  for bx in T.Kernel(8) do
    local n = T.alloc_var(T.float32, 0)
    A[n] = 1
  end
end)
f(tl.zeros({1024}))
