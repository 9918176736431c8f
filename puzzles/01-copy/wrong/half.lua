-- expect: unwritten E609 visible
-- part: copy_threads
-- Two bytes per element, so N // 2 iterations?
copy_threads = tl.jit(function(A)
  local N = T.const "N"
  A: T.Tensor({N}, T.float16)
  local B = T.empty({N}, T.float16)
  for bx in T.Kernel(1, {threads = 128}) do
    for i in T.Parallel(N // 2) do
      B[i] = A[i]
    end
  end
  return B
end)
