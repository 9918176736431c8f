local f = tl.jit(function(A)
  local N = T.dynamic "N"
  A: T.Tensor({N}, T.float32)
  for bx, by, bz in T.Kernel(N * 1000000, N * 1000000, N * 1000000) do
    A[0] = 1
  end
end)
f(tl.zeros({1024}))
