copy = tl.jit(function(A)
  local N = T.const "N"
  A: T.Tensor({N}, T.float16)
  local B = T.empty({N}, T.float16)
  for bx in T.Kernel(1) do
    for i in T.PARALLEL(N) do
      B[i] = A[i]
    end
  end
  return B
end)
copy:compile{N = 8}
