-- 15. A few workers, many tiles

night = tl.jit(function(A, BLOCKS, PANEL)
  local R, C = T.const "R, C"
  A: T.Tensor({R, C}, T.int32)
  local Done = T.empty({R, C}, T.int32)
  for p in T.Kernel(BLOCKS) do
    local clock = T.alloc_var(T.int32, 0)
    -- your turn: the tiles p, p + BLOCKS, p + 2 * BLOCKS, ... one after another
    local t = p
    if t < R * C then
      local row = t // C
      local col = t % C
      clock += A[row, col]
      Done[row, col] = clock
    end
  end
  return Done
end)

-- A product that is right: one block for a tile, as many blocks as tiles.
matmul = tl.jit(function(A, B, BLOCKS, PANEL, BLOCK_M, BLOCK_N, BLOCK_K)
  local M, N, K = T.const "M, N, K"
  A: T.Tensor({M, K}, T.float16)
  B: T.Tensor({K, N}, T.float16)
  local C = T.empty({M, N}, T.float32)
  local rows = T.ceildiv(M, BLOCK_M)
  local cols = T.ceildiv(N, BLOCK_N)
  -- your turn: BLOCKS blocks, and the tiles (m, n) in a loop
  for n, m in T.Kernel(cols, rows) do
    local As = T.alloc_shared({BLOCK_M, BLOCK_K}, T.float16)
    local Bs = T.alloc_shared({BLOCK_K, BLOCK_N}, T.float16)
    local Cl = T.alloc_fragment({BLOCK_M, BLOCK_N}, T.float32)
    T.clear(Cl)
    for ko in T.Pipelined(T.ceildiv(K, BLOCK_K), {num_stages = 2}) do
      T.copy(A[m * BLOCK_M, ko * BLOCK_K], As)
      T.copy(B[ko * BLOCK_K, n * BLOCK_N], Bs)
      T.gemm(As, Bs, Cl)
    end
    T.copy(Cl, C[m * BLOCK_M, n * BLOCK_N])
  end
  return C
end)
