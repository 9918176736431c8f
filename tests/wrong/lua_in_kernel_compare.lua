local f = tl.jit(function(A, mode)
  A: T.Tensor({64}, T.float32)
  for bx in T.Kernel(64) do
    if mode > 1 then
      A[bx] = 1
    end
  end
end)
f(tl.zeros({64}))
