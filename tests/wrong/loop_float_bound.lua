local f = tl.jit(function(A, s)
  A: T.Tensor({1024}, T.float32)
  s: T.float32
  for bx in T.Kernel(8) do
    for i in T.serial(s) do
      A[bx * 128 + i] = 1
    end
  end
end)
f(tl.zeros({1024}), 128.0)
