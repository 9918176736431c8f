local f = tl.jit(function(A, s)
  A: T.Tensor({64}, T.float32)
  s: T.uint8
  for bx in T.Kernel(64) do
    A[bx] = s
  end
end)
f(tl.zeros({64}), 255)
f(tl.zeros({64}), 300)
