-- expect: wrong
-- part: copy_blocks
-- Forgets where the tile begins in A.
copy_blocks = tl.jit(function(A, BLOCK)
  local N = T.const "N"
  A: T.Tensor({N}, T.float16)
  local B = T.empty({N}, T.float16)
  for bx in T.Kernel(T.ceildiv(N, BLOCK), {threads = 128}) do
    for i in T.Parallel(BLOCK) do
      B[bx * BLOCK + i] = A[i]
    end
  end
  return B
end)
