-- 19. A byte for a number: float8 with scales.        19. 一个数一个字节：float8 与比例

-- One scale for each row.           每行一个比例
row_scales = tl.jit(function(X, BLOCK_M, BLOCK_N)
  local M, N = T.const "M, N"
  X: T.Tensor({M, N}, T.float16)
  local Q = T.empty({M, N}, T.float8_e4m3fn)
  local S = T.empty({M}, T.float32)
  for bx in T.Kernel(T.ceildiv(M, BLOCK_M), {threads = 128}) do
    local x = T.alloc_fragment({BLOCK_M, BLOCK_N}, T.float32)
    local s = T.alloc_fragment({BLOCK_M}, T.float32)
    T.fill(s, 1e-4)
    -- your turn: walk along the rows for the largest magnitudes, compute the scales
    -- 请在这里写：沿各行求最大幅值，再由它得到比例
    for k in T.Serial(T.ceildiv(N, BLOCK_N)) do
      T.copy(X[bx * BLOCK_M, k * BLOCK_N], x)
      -- your turn: divide                请在这里写：相除
      T.copy(x, Q[bx * BLOCK_M, k * BLOCK_N])
    end
    T.copy(s, S[bx * BLOCK_M])
  end
  return Q, S
end)

-- One scale for each GROUP numbers of a row.          每行中每 GROUP 个数一个比例
group_scales = tl.jit(function(X, BLOCK_M, GROUP)
  local M, N = T.const "M, N"
  X: T.Tensor({M, N}, T.float16)
  local G = T.ceildiv(N, GROUP)
  local Q = T.empty({M, N}, T.float8_e4m3fn)
  local S = T.empty({M, G}, T.float32)
  for bx, by in T.Kernel(G, T.ceildiv(M, BLOCK_M), {threads = 128}) do
    local x = T.alloc_fragment({BLOCK_M, GROUP}, T.float32)
    T.copy(X[by * BLOCK_M, bx * GROUP], x)
    -- your turn: the scales of this tile's groups, written to S, and the division
    -- 请在这里写：本分块各组的比例，写入 S，再相除
    T.copy(x, Q[by * BLOCK_M, bx * GROUP])
    for i in T.Parallel(BLOCK_M) do
      S[by * BLOCK_M + i, bx] = 0
    end
  end
  return Q, S
end)
