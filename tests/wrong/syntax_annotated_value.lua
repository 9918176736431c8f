local f = tl.jit(function(A)
  A: T.Tensor({64}, T.float32) = 1
end)
