local f = tl.jit(function(A)
  A: T.Tensor({1024}, T.int32)
  for bx in T.Kernel(8) do
    A[bx] = bx > 3 and 5
  end
end)
f(tl.zeros({1024}, "int32"))
