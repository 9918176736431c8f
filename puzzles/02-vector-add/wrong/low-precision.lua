-- expect: weak
-- part: mul_relu
-- Keeps the product in bfloat16: as many bits, fewer digits.
mul_relu = tl.jit(function(A, B, BLOCK)
  local N = T.const "N"
  A: T.Tensor({N}, T.float16)
  B: T.Tensor({N}, T.float16)
  local C = T.empty({N}, T.float16)
  for bx in T.Kernel(T.ceildiv(N, BLOCK), {threads = 128}) do
    for i in T.Parallel(BLOCK) do
      C[bx * BLOCK + i] = T.max(T.cast(A[bx * BLOCK + i] * B[bx * BLOCK + i], "bfloat16"), 0)
    end
  end
  return C
end)
