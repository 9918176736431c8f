copy = tl.jit(function(A)
  local N = T.const "N"
  A: T.Tensor({N}, T.float32)
  local B = T.empty({N}, T.float32)
  for bx in T.Kernel(T.ceildiv(N, 32), {threads = 32}) do
    for i in T.Parallel(32) do
      B[bx * 32 + i] = A[bx * 32 + i]
    end
  end
  return B
end)
