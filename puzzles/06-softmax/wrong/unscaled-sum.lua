-- expect: wrong visible
-- The old sum belongs to the old maximum: it is added as it is when the maximum grows.
local LOG2E = 1.4426950408889634

softmax = tl.jit(function(A, BLOCK_M, BLOCK_N)
  local M, N = T.const "M, N"
  A: T.Tensor({M, N}, T.float32)
  local B = T.empty({M, N}, T.float32)
  for bx in T.Kernel(T.ceildiv(M, BLOCK_M), {threads = 128}) do
    local a = T.alloc_fragment({BLOCK_M, BLOCK_N}, T.float32)
    local top = T.alloc_fragment({BLOCK_M}, T.float32)
    local sum = T.alloc_fragment({BLOCK_M}, T.float32)
    T.fill(top, -T.infinity(T.float32))
    T.clear(sum)
    for k in T.Serial(T.ceildiv(N, BLOCK_N)) do
      T.copy(A[bx * BLOCK_M, k * BLOCK_N], a)
      for i, j in T.Parallel(BLOCK_M, BLOCK_N) do
        a[i, j] = T.if_then_else(k * BLOCK_N + j < N, a[i, j], -T.infinity(T.float32))
      end
      T.reduce_max(a, top, 1, false)
      for i, j in T.Parallel(BLOCK_M, BLOCK_N) do
        a[i, j] = T.exp2((a[i, j] - top[i]) * LOG2E)
      end
      T.reduce_sum(a, sum, 1, false)
    end
    for k in T.Serial(T.ceildiv(N, BLOCK_N)) do
      T.copy(A[bx * BLOCK_M, k * BLOCK_N], a)
      for i, j in T.Parallel(BLOCK_M, BLOCK_N) do
        a[i, j] = T.exp2((a[i, j] - top[i]) * LOG2E) / sum[i]
      end
      T.copy(a, B[bx * BLOCK_M, k * BLOCK_N])
    end
  end
  return B
end)
