padded = tl.jit(function(A, BLOCK_M, BLOCK_N)
  local M, N = T.const "M, N"
  A: T.Tensor({M, N}, T.float32)
  local B = T.empty({N, M}, T.float32)
  for bx, by in T.Kernel(T.ceildiv(N, BLOCK_N), T.ceildiv(M, BLOCK_M)) do
    local tile = T.alloc_shared({BLOCK_M, BLOCK_N + 1}, T.float32)
    T.annotate_layout {[tile] = T.make_linear_layout(tile)}
    T.copy(A[by * BLOCK_M, bx * BLOCK_N], tile[0:BLOCK_M, 0:BLOCK_N])
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
    T.annotate_layout {[tile] = T.Layout({BLOCK_M, BLOCK_N}, function(i, j)
      return i * BLOCK_N + (j ~ i)
    end)}
    T.copy(A[by * BLOCK_M, bx * BLOCK_N], tile)
    for j, i in T.Parallel(BLOCK_N, BLOCK_M) do
      B[bx * BLOCK_N + j, by * BLOCK_M + i] = tile[i, j]
    end
  end
  return B
end)
