local f = tl.jit(function(A)
  A: T.Tensor({128}, T.int32)
  for bx in T.Kernel(1) do
    if T.any_of(A[0] > 1) then
      A[0] = 1
    end
  end
end)
f(tl.zeros({128}, "int32"))
