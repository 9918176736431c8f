-- expect: wrong visible
-- Each tile's maximum replaces the one so far: a row that falls overflows.
local LOG2E = 1.4426950408889634 -- exp(x) = exp2(x * LOG2E)

softmax = tl.jit(function(A, BLOCK_M, BLOCK_N)
  local M, N = T.const "M, N"
  A: T.Tensor({M, N}, T.float32)
  local B = T.empty({M, N}, T.float32)
  for bx in T.Kernel(T.ceildiv(M, BLOCK_M), {threads = 128}) do
    local a = T.alloc_fragment({BLOCK_M, BLOCK_N}, T.float32)
    local top = T.alloc_fragment({BLOCK_M}, T.float32)   -- maximum so far
    local lse = T.alloc_fragment({BLOCK_M}, T.float32)   -- log2 of the sum so far
    local part = T.alloc_fragment({BLOCK_M}, T.float32)
    T.fill(top, -T.infinity(T.float32))
    T.fill(lse, -T.infinity(T.float32))
    for k in T.Serial(T.ceildiv(N, BLOCK_N)) do
      T.copy(A[bx * BLOCK_M, k * BLOCK_N], a)
      for i, j in T.Parallel(BLOCK_M, BLOCK_N) do
        a[i, j] = T.if_then_else(k * BLOCK_N + j < N, a[i, j] * LOG2E, -T.infinity(T.float32))
      end
      T.reduce_max(a, top, 1)
      for i, j in T.Parallel(BLOCK_M, BLOCK_N) do
        a[i, j] = T.exp2(a[i, j] - top[i])
      end
      T.reduce_sum(a, part, 1)
      for i in T.Parallel(BLOCK_M) do
        lse[i] = top[i] + T.log2(T.exp2(lse[i] - top[i]) + part[i])
      end
    end
    for k in T.Serial(T.ceildiv(N, BLOCK_N)) do
      T.copy(A[bx * BLOCK_M, k * BLOCK_N], a)
      for i, j in T.Parallel(BLOCK_M, BLOCK_N) do
        a[i, j] = T.exp2(a[i, j] * LOG2E - lse[i])
      end
      T.copy(a, B[bx * BLOCK_M, k * BLOCK_N])
    end
  end
  return B
end)
