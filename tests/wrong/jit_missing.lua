local add = tl.jit(function(A, B)
  A: T.Tensor({64}, T.float32)
  B: T.Tensor({64}, T.float32)
  for bx in T.Kernel(64) do
    A[bx] = A[bx] + B[bx]
  end
end)
add(tl.zeros({64}))
