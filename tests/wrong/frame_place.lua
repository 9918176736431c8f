local f = tl.jit(function(A)
  A: T.Tensor({64}, T.float32)
  for bx in T.Kernel(1, {threads = 64}) do
    for _ in T.If(A[0] > 0) do
      for _ in T.Else() do
        for i in T.Parallel(64) do A[i] = 1 end
      end
    end
  end
end)
f(tl.zeros({64}))
