local f = tl.jit(function(A)
  A: T.Tensor({64}, T.float32)
  for bx in T.Kernel(1) do T.fill(A, 1) end
end)
f:compile():bench {vs = "cublas"}
