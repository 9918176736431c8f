-- expect: unwritten E523 copy_threads
-- part: copy_threads
-- Reads every element and keeps it to itself.
copy_threads = tl.jit(function(A)
  local N = T.const "N"
  A: T.Tensor({N}, T.float16)
  local B = T.empty({N}, T.float16)
  for bx in T.Kernel(1, {threads = 128}) do
    for i in T.Parallel(N) do
      local x = A[i]
    end
  end
  return B
end)
