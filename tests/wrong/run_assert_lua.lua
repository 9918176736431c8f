local f = tl.jit(function(A)
  A: T.Tensor({64}, T.float32)
  for bx in T.Kernel(1) do
    for i in T.serial(64) do
      assert(A[i] >= 0, "A must not be negative")
      A[i] = T.sqrt(A[i])
    end
  end
end)
f(tl.full({64}, -1.0))
