local f = tl.jit(function(A, B)
  local N = T.const "N"
  A: T.Tensor({N}, T.float32)
  B: T.Tensor({N // 2}, T.float32)
  for bx in T.Kernel(1) do
    B[0] = A[0]
  end
end)
f(tl.zeros({64}), tl.zeros({64}))
