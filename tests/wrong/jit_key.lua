local add = tl.jit(function(A, f)
  A: T.Tensor({64}, T.float32)
  for bx in T.Kernel(64) do
    A[bx] = A[bx] + 1
  end
end)
add(tl.zeros({64}), coroutine.create(print))
