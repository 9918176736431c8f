local f = tl.jit(function(A)
  local N = T.const "N"
  A: T.Tensor({N}, T.float32)
  local B = T.empty({N}, T.float32)
  for bx in T.Kernel(T.ceildiv(N, 64)) do
    T.copy(A[bx * 64], B[bx * 64])
  end
  return B
end)
f(tl.zeros({64}, "float32"))
