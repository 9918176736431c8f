-- expect: goal threads
-- part: copy_blocks
-- Many blocks, and in each of them one thread at work.
copy_blocks = tl.jit(function(A, BLOCK)
  local N = T.const "N"
  A: T.Tensor({N}, T.float16)
  local B = T.empty({N}, T.float16)
  for bx in T.Kernel(T.ceildiv(N, BLOCK), {threads = 128}) do
    for i in T.Serial(BLOCK) do
      B[bx * BLOCK + i] = A[bx * BLOCK + i]
    end
  end
  return B
end)
