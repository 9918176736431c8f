-- 2. Vector add: C = A + B, then C = max(0, A * B) twice.  向量加法。

-- Given: each iteration of T.Parallel adds one pair.
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

-- C = max(0, A * B), element by element.
mul_relu = tl.jit(function(A, B, BLOCK)
  local N = T.const "N"
  A: T.Tensor({N}, T.float16)
  B: T.Tensor({N}, T.float16)
  local C = T.empty({N}, T.float16)
  for bx in T.Kernel(T.ceildiv(N, BLOCK), {threads = 128}) do
    for i in T.Parallel(BLOCK) do
      -- your turn: multiply, and let nothing below zero through
      -- 请在这里写：相乘，并且不让小于零的值通过
      C[bx * BLOCK + i] = A[bx * BLOCK + i]
    end
  end
  return C
end)

-- The same, through registers: read a tile of A and of B, compute on them, write the result.
mul_relu_registers = tl.jit(function(A, B, BLOCK)
  local N = T.const "N"
  A: T.Tensor({N}, T.float16)
  B: T.Tensor({N}, T.float16)
  local C = T.empty({N}, T.float16)
  for bx in T.Kernel(T.ceildiv(N, BLOCK), {threads = 128}) do
    local a = T.alloc_fragment({BLOCK}, T.float16)
    -- your turn: this reads a tile of A and writes it back; B and the arithmetic are missing
    -- 请在这里写：现在只是读入 A 的分块再写回；还缺 B 与计算
    T.copy(A[bx * BLOCK], a)
    T.copy(a, C[bx * BLOCK])
  end
  return C
end)
