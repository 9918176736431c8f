local f = tl.jit(function(A)
  A: T.Tensor({1024}, T.float32)
  for bx in T.Kernel(1) do
    A[0] = T.ieee_add(A[1], A[2], "up")
  end
end)
f(tl.zeros({1024}))
