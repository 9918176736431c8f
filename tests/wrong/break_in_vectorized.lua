local f = tl.jit(function(A)
  A: T.Tensor({64}, T.float32)
  for bx in T.Kernel(16) do
    for i in T.vectorized(4) do
      if A[bx * 4 + i] > 0 then break end
      A[bx * 4 + i] = 1
    end
  end
end)
f:compile()
