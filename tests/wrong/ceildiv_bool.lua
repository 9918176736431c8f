local f = tl.jit(function(A)
  local N = T.const "N"
  A: T.Tensor({N}, T.float32)
  local B = T.empty({N}, T.float32)
  for bx in T.Kernel(T.ceildiv(N, N > 4)) do
    T.copy(A[bx * 4], B[bx * 4])
  end
  return B
end)
f(tl.zeros({8}, "float32"))
