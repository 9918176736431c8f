local f = tl.jit(function(A)
  A: T.Tensor({1024}, T.float32)
  for bx in T.Kernel(2^40) do
    A[bx] = 1
  end
end)
f(tl.zeros({1024}))
