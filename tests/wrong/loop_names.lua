local f = tl.jit(function(A)
  A: T.Tensor({8, 128}, T.float32)
  for bx in T.Kernel(8) do
    for i in T.Parallel(1, 128) do
      A[bx, i] = 1
    end
  end
end)
f(tl.zeros({8, 128}))
