local f = tl.jit(function(A, I)
  A: T.Tensor({64}, T.float32)
  I: T.Tensor({64}, T.int32)
  for bx in T.Kernel(1) do
    local x = T.alloc_shared({64}, T.float32)
    T.copy(A, x)
    for i in T.Parallel(64) do
      A[i] = x[I[i]]
    end
  end
end)
f(tl.zeros({64}), tl.full({64}, 1000000, "int32"))
