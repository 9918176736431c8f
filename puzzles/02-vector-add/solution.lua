-- 2. Vector add: C = A + B, then C = max(0, A * B) twice.

-- Each iteration of T.Parallel adds one pair.
add = tl.jit(function(A, B, BLOCK)
  local N = T.const "N"
  A: T.Tensor({N}, T.float16)
  B: T.Tensor({N}, T.float16)
  local C = T.empty({N}, T.float16)
  for bx in T.Kernel(T.ceildiv(N, BLOCK), {threads = 128}) do
    for i in T.Parallel(BLOCK) do
      C[bx * BLOCK + i] = A[bx * BLOCK + i] + B[bx * BLOCK + i]
    end
  end
  return C
end)

-- T.max mentions the product once, so A and B are read once.
mul_relu = tl.jit(function(A, B, BLOCK)
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

-- Three tensors, three copies; the arithmetic in between touches registers only.
mul_relu_registers = tl.jit(function(A, B, BLOCK)
  local N = T.const "N"
  A: T.Tensor({N}, T.float16)
  B: T.Tensor({N}, T.float16)
  local C = T.empty({N}, T.float16)
  for bx in T.Kernel(T.ceildiv(N, BLOCK), {threads = 128}) do
    local a = T.alloc_fragment({BLOCK}, T.float16)
    local b = T.alloc_fragment({BLOCK}, T.float16)
    T.copy(A[bx * BLOCK], a)
    T.copy(B[bx * BLOCK], b)
    for i in T.Parallel(BLOCK) do
      a[i] = T.max(a[i] * b[i], 0)
    end
    T.copy(a, C[bx * BLOCK])
  end
  return C
end)
