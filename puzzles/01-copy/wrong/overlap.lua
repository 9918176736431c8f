-- expect: unwritten E609
-- part: copy_blocks
-- Tiles that begin at bx, not at bx * BLOCK.
copy_blocks = tl.jit(function(A, BLOCK)
  local N = T.const "N"
  A: T.Tensor({N}, T.float16)
  local B = T.empty({N}, T.float16)
  for bx in T.Kernel(T.ceildiv(N, BLOCK), {threads = 128}) do
    for i in T.Parallel(BLOCK) do
      B[bx + i] = A[bx + i] + 0 * bx
    end
  end
  return B
end)
