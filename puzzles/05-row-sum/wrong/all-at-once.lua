-- expect: race E513
-- All columns add to one element at once.
row_sum = tl.jit(function(A, BLOCK_M, BLOCK_N)
  local M, N = T.const "M, N"
  A: T.Tensor({M, N}, T.float32)
  local B = T.empty({M}, T.float32)
  for bx in T.Kernel(T.ceildiv(M, BLOCK_M), {threads = 128}) do
    local a = T.alloc_fragment({BLOCK_M, BLOCK_N}, T.float32)
    local sum = T.alloc_fragment({BLOCK_M}, T.float32)
    T.clear(sum)
    for k in T.Serial(T.ceildiv(N, BLOCK_N)) do
      T.copy(A[bx * BLOCK_M, k * BLOCK_N], a)
      for i, j in T.Parallel(BLOCK_M, BLOCK_N) do
        sum[i] += a[i, j]
      end
    end
    T.copy(sum, B[bx * BLOCK_M])
  end
  return B
end)
