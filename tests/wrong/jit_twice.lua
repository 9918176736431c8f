local add = tl.jit(function(A, n)
  A: T.Tensor({64}, T.float32)
  for bx in T.Kernel(64) do
    A[bx] = A[bx] + n
  end
end)
add(tl.zeros({64}), 1, {n = 2})
