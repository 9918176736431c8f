local k = tl.jit(function(A)
  A: T.Tensor({65}, T.float32)
  local C = T.empty({65}, T.float32)
  for bx in T.Kernel(4, {threads = 32}) do
    for i in T.Parallel(16) do
      C[bx * 16 + i] = A[bx * 16 + i]
    end
  end
  return C
end)
print(k(tl.zeros {65}))
