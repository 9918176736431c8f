local f = tl.jit(function(A)
  A: T.Tensor({1024}, T.float32)
  for bx in T.Kernel({threads = 128}) do
    T.clear(A)
  end
end)
f(tl.zeros({1024}))
