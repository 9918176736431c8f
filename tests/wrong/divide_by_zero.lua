local f = tl.jit(function(A)
  A: T.Tensor({1024}, T.int32)
  for bx in T.Kernel(1) do
    A[0] = A[1] // 0
  end
end)
f(tl.zeros({1024}, "int32"))
