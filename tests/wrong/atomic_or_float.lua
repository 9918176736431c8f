local f = tl.jit(function(A)
  A: T.Tensor({128}, T.float32)
  for bx in T.Kernel(1) do
    for i in T.Parallel(128) do
      T.atomic_or(A[i], 1)
    end
  end
end)
f(tl.zeros({128}))
