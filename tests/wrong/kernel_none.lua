local f = tl.jit(function(A)
  A: T.Tensor({1024}, T.float32)
end)
f(tl.zeros({1024}))
