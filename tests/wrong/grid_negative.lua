local f = tl.jit(function(A, n)
  A: T.Tensor({64}, T.float32)
  n: T.int32
  for bx in T.Kernel(n // 2) do
    A[bx] = 1
  end
end)
f(tl.zeros({64}), 0)
f(tl.zeros({64}), -6)
