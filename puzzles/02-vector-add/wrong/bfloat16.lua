-- expect: weak
-- part: mul_relu_registers
-- Keeps the result in bfloat16: as many bits, fewer digits.
mul_relu_registers = tl.jit(function(A, B, BLOCK)
  local N = T.const "N"
  A: T.Tensor({N}, T.float16)
  B: T.Tensor({N}, T.float16)
  local C = T.empty({N}, T.float16)
  for bx in T.Kernel(T.ceildiv(N, BLOCK), {threads = 128}) do
    local a = T.alloc_fragment({BLOCK}, T.float16)
    local b = T.alloc_fragment({BLOCK}, T.float16)
    local c = T.alloc_fragment({BLOCK}, T.bfloat16)
    T.copy(A[bx * BLOCK], a)
    T.copy(B[bx * BLOCK], b)
    for i in T.Parallel(BLOCK) do
      c[i] = T.max(a[i] * b[i], 0)
    end
    T.copy(c, C[bx * BLOCK])
  end
  return C
end)
