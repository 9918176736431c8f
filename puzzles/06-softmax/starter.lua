-- 6. Softmax: B[i, j] = exp(A[i, j]) / the sum of exp(A[i, :])          6. 按行 softmax
local LOG2E = 1.4426950408889634 -- exp(x) = exp2(x * LOG2E)

softmax = tl.jit(function(A, BLOCK_M, BLOCK_N)
  local M, N = T.const "M, N"
  A: T.Tensor({M, N}, T.float32)
  local B = T.empty({M, N}, T.float32)
  for bx in T.Kernel(T.ceildiv(M, BLOCK_M), {threads = 128}) do
    local a = T.alloc_fragment({BLOCK_M, BLOCK_N}, T.float32)
    -- your turn, first pass: tile by tile, the maximum so far and the log2 of the sum so far
    -- 请在这里写第一遍：逐块更新到目前为止的最大值，以及到目前为止的和的 log2

    for k in T.Serial(T.ceildiv(N, BLOCK_N)) do
      T.copy(A[bx * BLOCK_M, k * BLOCK_N], a)
      -- your turn, second pass: turn the tile into softmax values
      -- 请在这里写第二遍：把这一块变成 softmax 的值
      T.copy(a, B[bx * BLOCK_M, k * BLOCK_N])
    end
  end
  return B
end)
