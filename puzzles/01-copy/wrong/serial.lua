-- expect: goal threads
-- part: copy_threads
-- More threads, and the loop of one.
copy_threads = tl.jit(function(A)
  local N = T.const "N"
  A: T.Tensor({N}, T.float16)
  local B = T.empty({N}, T.float16)
  for bx in T.Kernel(1, {threads = 128}) do
    for i in T.Serial(N) do
      B[i] = A[i]
    end
  end
  return B
end)
