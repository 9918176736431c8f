-- expect: unwritten E523
-- Nothing is written: the sums stay in registers.
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
      T.reduce_sum(a, sum, 1, false)
    end
  end
  return B
end)
