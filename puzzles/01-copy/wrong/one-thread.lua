-- expect: goal threads
-- part: copy_threads
-- A parallel loop, and one thread to share it.
copy_threads = tl.jit(function(A)
  local N = T.const "N"
  A: T.Tensor({N}, T.float16)
  local B = T.empty({N}, T.float16)
  for bx in T.Kernel(1, {threads = 1}) do
    for i in T.Parallel(N) do
      B[i] = A[i]
    end
  end
  return B
end)
