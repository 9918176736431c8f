local f = tl.jit(function(A)
  A: T.Tensor({16}, T.float32)
  for bx in T.Kernel(1) do
    A[bx] = 1
end)
