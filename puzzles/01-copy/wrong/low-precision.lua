-- expect: wrong visible
-- part: copy_blocks
-- As many bytes on the way, and fewer digits.
copy_blocks = tl.jit(function(A, BLOCK)
  local N = T.const "N"
  A: T.Tensor({N}, T.float16)
  local B = T.empty({N}, T.float16)
  for bx in T.Kernel(T.ceildiv(N, BLOCK), {threads = 128}) do
    local a = T.alloc_fragment({BLOCK}, T.bfloat16)
    T.copy(A[bx * BLOCK], a)
    T.copy(a, B[bx * BLOCK])
  end
  return B
end)
