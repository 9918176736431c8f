local f = tl.jit(function(A)
  A: T.Tensor({1024}, T.int32)
  for bx in T.Kernel(8) do
    local x = T.alloc_shared({64}, T.int32)
    for i in T.Parallel(128) do
      x[i] = A[bx * 128 + i]
    end
    T.copy(x, A[bx * 128])
  end
end)
f(tl.zeros({1024}, "int32"))
