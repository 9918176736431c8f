local f = tl.jit(function(A)
  A: T.Tensor({64}, T.float32)
  for bx in T.Kernel(64) do
    for i = 0, #A - 1 do
      A[i] = 1
    end
  end
end)
f(tl.zeros({64}))
