local f = tl.jit(function(A)
  A: T.Tensor({64}, T.int32)
  for bx in T.Kernel(64) do
    while A[bx] >= 0 do
      A[bx] = 0
    end
  end
end)
f(tl.zeros({64}, "int32"))
