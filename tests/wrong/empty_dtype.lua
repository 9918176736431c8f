local f = tl.jit(function(A)
  A: T.Tensor({1024}, T.float32)
  local C = T.empty({1024}, "float33")
  for bx in T.Kernel(8) do
    T.copy(A[bx * 128 : (bx + 1) * 128], C[bx * 128])
  end
  return C
end)
f(tl.zeros({1024}))
