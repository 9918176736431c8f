local f = tl.jit(function(A)
  A: T.Tensor({64}, T.float32)
  for bx in T.Kernel(8) do
    A[bx] = 1
  end
end, {targt = "cpu"})
