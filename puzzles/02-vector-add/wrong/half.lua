-- expect: unwritten E609
-- part: mul_relu_registers
-- A fragment of half a tile.
mul_relu_registers = tl.jit(function(A, B, BLOCK)
  local N = T.const "N"
  A: T.Tensor({N}, T.float16)
  B: T.Tensor({N}, T.float16)
  local C = T.empty({N}, T.float16)
  for bx in T.Kernel(T.ceildiv(N, BLOCK), {threads = 128}) do
    local a = T.alloc_fragment({BLOCK // 2}, T.float16)
    local b = T.alloc_fragment({BLOCK // 2}, T.float16)
    T.copy(A[bx * BLOCK], a)
    T.copy(B[bx * BLOCK], b)
    for i in T.Parallel(BLOCK // 2) do
      a[i] = T.max(a[i] * b[i], 0)
    end
    T.copy(a, C[bx * BLOCK])
  end
  return C
end)
