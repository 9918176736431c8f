-- expect: wrong zeros
-- part: copy_threads
-- Clears the result, and nothing else.
copy_threads = tl.jit(function(A)
  local N = T.const "N"
  A: T.Tensor({N}, T.float16)
  local B = T.empty({N}, T.float16)
  for bx in T.Kernel(1, {threads = 128}) do
    T.clear(B)
  end
  return B
end)
