-- expect: goal registers
-- part: mul_relu_registers
-- A through registers, B past them.
mul_relu_registers = tl.jit(function(A, B, BLOCK)
  local N = T.const "N"
  A: T.Tensor({N}, T.float16)
  B: T.Tensor({N}, T.float16)
  local C = T.empty({N}, T.float16)
  for bx in T.Kernel(T.ceildiv(N, BLOCK), {threads = 128}) do
    local a = T.alloc_fragment({BLOCK}, T.float16)
    T.copy(A[bx * BLOCK], a)
    for i in T.Parallel(BLOCK) do
      C[bx * BLOCK + i] = T.max(a[i] * B[bx * BLOCK + i], 0)
    end
  end
  return C
end)
