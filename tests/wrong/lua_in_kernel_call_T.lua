local f = tl.jit(function(A)
  A: T.Tensor({64}, T.float32)
  for bx in T.Kernel(64) do
    A[bx] = exp(A[bx])
  end
end)
f(tl.zeros({64}))
