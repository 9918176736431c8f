local f = tl.jit(function(A)
  A: T.Tensor({1024}, T.float32)
  local C = T.empty({1024}, T.float32)
  for bx in T.Kernel(8) do
    for i in T.Parallel(128) do
      A[bx * 128 + i] = A[bx * 128 + i] + 1
    end
  end
  return C
end)
f(tl.zeros({1024}))
