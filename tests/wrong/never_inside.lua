local f = tl.jit(function(A)
  A: T.Tensor({1024, 512}, T.float32)
  for bx in T.Kernel(8) do
    A[bx + 1024, 3] = 1
  end
end)
f(tl.zeros({1024, 512}))
