local copy = tl.jit(function(A, first, last)
  local N = T.const "N"
  A: T.Tensor({N, N}, T.float32)
  local B = T.empty({N, N}, T.float32)
  for bx in T.Kernel(1, {threads = 128}) do
    for i in T.serial(first, last) do
      for j in T.Parallel(16) do
        B[i, j] = A[i, j]
      end
    end
  end
  return B
end)
copy:compile{N = 64, first = 5, last = 2}
