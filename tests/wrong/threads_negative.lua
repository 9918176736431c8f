local f = tl.jit(function(A)
  A: T.Tensor({1024}, T.float32)
  for bx in T.Kernel(8, {threads = -32}) do
    T.clear(A[bx * 128 : bx * 128 + 128])
  end
end)
f(tl.zeros({1024}))
