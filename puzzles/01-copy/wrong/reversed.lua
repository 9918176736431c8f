-- expect: wrong
-- part: copy_threads
-- The last element first: counts from 1 at one end.
copy_threads = tl.jit(function(A)
  local N = T.const "N"
  A: T.Tensor({N}, T.float16)
  local B = T.empty({N}, T.float16)
  for bx in T.Kernel(1, {threads = 128}) do
    for i in T.Parallel(N) do
      B[N - 1 - i] = A[i]
    end
  end
  return B
end)
