local f = tl.jit(function(A)
  A: T.Tensor({128}, T.int32)
  local C = T.empty({128}, T.int32)
  for _ in T.Kernel(1) do
    for i in T.Parallel(128) do
      C[i] = T.pow(A[i], 3) + T.pow(2, A[i])
    end
  end
  return C
end)
f:compile()
