-- expect: goal once
-- part: copy_blocks
-- Every block copies everything.
copy_blocks = tl.jit(function(A, BLOCK)
  local N = T.const "N"
  A: T.Tensor({N}, T.float16)
  local B = T.empty({N}, T.float16)
  for bx in T.Kernel(T.ceildiv(N, BLOCK), {threads = 128}) do
    T.copy(A, B)
  end
  return B
end)
