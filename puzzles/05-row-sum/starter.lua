-- 5. Row sums: B[i] = the sum of row i of A.          5. 按行求和：B[i] = A 第 i 行之和
row_sum = tl.jit(function(A, BLOCK_M, BLOCK_N)
  local M, N = T.const "M, N"
  A: T.Tensor({M, N}, T.float32)
  local B = T.empty({M}, T.float32)
  for bx in T.Kernel(T.ceildiv(M, BLOCK_M), {threads = 128}) do
    local sum = T.alloc_fragment({BLOCK_M}, T.float32)
    T.clear(sum)
    -- your turn: walk along the rows by BLOCK_N columns, and add each tile to sum
    -- 请在这里写：沿着行每次走 BLOCK_N 列，把每个分块加到 sum 上
    T.copy(sum, B[bx * BLOCK_M])
  end
  return B
end)
