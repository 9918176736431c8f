-- expect: unwritten E609 visible
-- part: copy_blocks
-- Three blocks: enough for the size in the picture.
copy_blocks = tl.jit(function(A, BLOCK)
  local N = T.const "N"
  A: T.Tensor({N}, T.float16)
  local B = T.empty({N}, T.float16)
  for bx in T.Kernel(3, {threads = 128}) do
    T.copy(A[bx * BLOCK:(bx + 1) * BLOCK], B[bx * BLOCK:(bx + 1) * BLOCK])
  end
  return B
end)
