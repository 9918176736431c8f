local f = tl.jit(function(A, I)
  A: T.Tensor({64}, T.float32)
  I: T.Tensor({64}, T.int32)
  for bx in T.Kernel(1) do
    local x = T.alloc_shared({64}, T.float32)
    T.clear(x)
    for i in T.serial(64) do
      x[I[i] + i] = A[i]
    end
    T.copy(x, A)
  end
end)
f(tl.zeros({64}), tl.full({64}, -3, "int32"))
