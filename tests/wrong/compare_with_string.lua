local f = tl.jit(function(A)
  A: T.Tensor({1024}, T.int32)
  for bx in T.Kernel(1) do
    if A[0] < "1" then
      A[1] = 1
    end
  end
end)
f(tl.zeros({1024}, "int32"))
