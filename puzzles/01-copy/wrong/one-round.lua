-- expect: unwritten E609
-- part: copy_threads
-- An iteration for each thread, not for each element.
copy_threads = tl.jit(function(A)
  local N = T.const "N"
  A: T.Tensor({N}, T.float16)
  local B = T.empty({N}, T.float16)
  for bx in T.Kernel(1, {threads = 128}) do
    for i in T.Parallel(128) do
      B[i] = A[i]
    end
  end
  return B
end)
