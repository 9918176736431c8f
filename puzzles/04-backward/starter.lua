-- 4. There and back: C = max(0, A * B), then dA from dC.  前向与反向。

-- C[i, j] = max(0, A[i, j] * B[j])
forward = tl.jit(function(A, B, BLOCK_M, BLOCK_N)
  local M, N = T.const "M, N"
  A: T.Tensor({M, N}, T.float16)
  B: T.Tensor({N}, T.float16)
  local C = T.empty({M, N}, T.float16)
  for bx, by in T.Kernel(T.ceildiv(N, BLOCK_N), T.ceildiv(M, BLOCK_M), {threads = 128}) do
    local a = T.alloc_fragment({BLOCK_M, BLOCK_N}, T.float16)
    T.copy(A[by * BLOCK_M, bx * BLOCK_N], a)
    -- your turn: a becomes max(0, a * b), with b the tile of B for these columns
    -- 请在这里写：把 a 变成 max(0, a * b)，b 是 B 中对应这些列的分块
    T.copy(a, C[by * BLOCK_M, bx * BLOCK_N])
  end
  return C
end)

-- dA[i, j] = dC[i, j] * B[j] where A[i, j] * B[j] > 0, else 0
backward = tl.jit(function(A, B, dC, BLOCK_M, BLOCK_N)
  local M, N = T.const "M, N"
  A: T.Tensor({M, N}, T.float16)
  B: T.Tensor({N}, T.float16)
  dC: T.Tensor({M, N}, T.float16)
  local dA = T.empty({M, N}, T.float16)
  for bx, by in T.Kernel(T.ceildiv(N, BLOCK_N), T.ceildiv(M, BLOCK_M), {threads = 128}) do
    local d = T.alloc_fragment({BLOCK_M, BLOCK_N}, T.float16)
    T.copy(dC[by * BLOCK_M, bx * BLOCK_N], d)
    -- your turn: d becomes d * b where a * b > 0, and 0 elsewhere
    -- 请在这里写：a * b > 0 处 d 变成 d * b，其余处变成 0
    T.copy(d, dA[by * BLOCK_M, bx * BLOCK_N])
  end
  return dA
end)
