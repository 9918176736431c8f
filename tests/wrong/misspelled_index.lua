local f = tl.jit(function(A)
  A: T.Tensor({1024}, T.float32)
  for bx in T.Kernel(8, {threads = 128}) do
    for i in T.Parallel(128) do
      A[bxx * 128 + i] = 1.0
    end
  end
end)
f(tl.zeros({1024}, "float32"))
