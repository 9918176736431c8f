-- expect: unwritten E609
-- part: mul_relu
-- No block for the elements of the last tile.
mul_relu = tl.jit(function(A, B, BLOCK)
  local N = T.const "N"
  A: T.Tensor({N}, T.float16)
  B: T.Tensor({N}, T.float16)
  local C = T.empty({N}, T.float16)
  for bx in T.Kernel(T.max(1, N // BLOCK), {threads = 128}) do
    for i in T.Parallel(BLOCK) do
      C[bx * BLOCK + i] = T.max(A[bx * BLOCK + i] * B[bx * BLOCK + i], 0)
    end
  end
  return C
end)
