local f = tl.jit(function(A, n)
  A: T.Tensor({64}, T.float32)
  for bx in T.Kernel(64) do
    for i = 0, n do
      A[bx] = 1
    end
  end
end)
f(tl.zeros({64}))
