-- expect: unwritten E609
-- part: copy_blocks
-- Between two tensors A[i] is an element, not a tile.
copy_blocks = tl.jit(function(A, BLOCK)
  local N = T.const "N"
  A: T.Tensor({N}, T.float16)
  local B = T.empty({N}, T.float16)
  for bx in T.Kernel(T.ceildiv(N, BLOCK), {threads = 128}) do
    T.copy(A[bx * BLOCK], B[bx * BLOCK])
  end
  return B
end)
