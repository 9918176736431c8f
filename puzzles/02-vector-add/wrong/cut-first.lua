-- expect: wrong
-- part: mul_relu
-- Cuts the factors, not the product: two negatives give nothing.
mul_relu = tl.jit(function(A, B, BLOCK)
  local N = T.const "N"
  A: T.Tensor({N}, T.float16)
  B: T.Tensor({N}, T.float16)
  local C = T.empty({N}, T.float16)
  for bx in T.Kernel(T.ceildiv(N, BLOCK), {threads = 128}) do
    for i in T.Parallel(BLOCK) do
      C[bx * BLOCK + i] = T.max(A[bx * BLOCK + i], 0) * T.max(B[bx * BLOCK + i], 0)
    end
  end
  return C
end)
