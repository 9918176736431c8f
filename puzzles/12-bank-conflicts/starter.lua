-- 12. Bank conflicts: both kernels are right, and both read `tile` by columns, 8-way.
--                     两个内核都正确，但都按列读 tile，8 路冲突。
padded = tl.jit(function(A, BLOCK_M, BLOCK_N)
  local M, N = T.const "M, N"
  A: T.Tensor({M, N}, T.float32)
  local B = T.empty({N, M}, T.float32)
  for bx, by in T.Kernel(T.ceildiv(N, BLOCK_N), T.ceildiv(M, BLOCK_M)) do
    -- your turn: give the tile one more column, and copy into the others
    -- 请在这里改：给 tile 多加一列，只拷贝到其余各列
    local tile = T.alloc_shared({BLOCK_M, BLOCK_N}, T.float32)
    T.annotate_layout {[tile] = T.make_linear_layout(tile)}
    T.copy(A[by * BLOCK_M, bx * BLOCK_N], tile)
    for j, i in T.Parallel(BLOCK_N, BLOCK_M) do
      B[bx * BLOCK_N + j, by * BLOCK_M + i] = tile[i, j]
    end
  end
  return B
end)

swizzled = tl.jit(function(A, BLOCK_M, BLOCK_N)
  local M, N = T.const "M, N"
  A: T.Tensor({M, N}, T.float32)
  local B = T.empty({N, M}, T.float32)
  for bx, by in T.Kernel(T.ceildiv(N, BLOCK_N), T.ceildiv(M, BLOCK_M)) do
    local tile = T.alloc_shared({BLOCK_M, BLOCK_N}, T.float32)
    T.annotate_layout {[tile] = T.make_linear_layout(tile)}
    -- your turn: say otherwise where cell [i, j] of the tile is stored
    -- 请在这里写：说明 tile 的格子 [i, j] 放在哪里
    T.copy(A[by * BLOCK_M, bx * BLOCK_N], tile)
    for j, i in T.Parallel(BLOCK_N, BLOCK_M) do
      B[bx * BLOCK_N + j, by * BLOCK_M + i] = tile[i, j]
    end
  end
  return B
end)
