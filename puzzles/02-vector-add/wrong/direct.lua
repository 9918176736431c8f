-- expect: goal registers
-- part: mul_relu_registers
-- The same line as before: no fragment.
mul_relu_registers = tl.jit(function(A, B, BLOCK)
  local N = T.const "N"
  A: T.Tensor({N}, T.float16)
  B: T.Tensor({N}, T.float16)
  local C = T.empty({N}, T.float16)
  for bx in T.Kernel(T.ceildiv(N, BLOCK), {threads = 128}) do
    for i in T.Parallel(BLOCK) do
      C[bx * BLOCK + i] = T.max(A[bx * BLOCK + i] * B[bx * BLOCK + i], 0)
    end
  end
  return C
end)
