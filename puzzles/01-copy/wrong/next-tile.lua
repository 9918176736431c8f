-- expect: unwritten E609
-- part: copy_blocks
-- Counts tiles from 1: the first one is never written.
copy_blocks = tl.jit(function(A, BLOCK)
  local N = T.const "N"
  A: T.Tensor({N}, T.float16)
  local B = T.empty({N}, T.float16)
  for bx in T.Kernel(T.ceildiv(N, BLOCK), {threads = 128}) do
    T.copy(A[(bx + 1) * BLOCK:(bx + 2) * BLOCK], B[(bx + 1) * BLOCK:(bx + 2) * BLOCK])
  end
  return B
end)
