local f = tl.jit(function(A)
  A: T.Tensor({8, 16}, T.float32)
  for bx in T.Kernel(1) do
    for i in T.Parallel(8) do
      A[i, 0] = 1
      for j in T.Parallel(16) do
        A[i, j] = 2
      end
    end
  end
end)
f(tl.zeros({8, 16}))
