-- expect: goal blocks
-- part: copy_blocks
-- One block for everything.
copy_blocks = tl.jit(function(A, BLOCK)
  local N = T.const "N"
  A: T.Tensor({N}, T.float16)
  local B = T.empty({N}, T.float16)
  for bx in T.Kernel(1, {threads = 128}) do
    for i in T.Parallel(N) do
      B[i] = A[i]
    end
  end
  return B
end)
