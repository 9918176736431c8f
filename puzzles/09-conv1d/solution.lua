conv_naive = tl.jit(function(X, W, BLOCK_N, BLOCK_L)
  local N, L, KL = T.const "N, L, KL"
  X: T.Tensor({N, L}, T.float16)
  W: T.Tensor({KL}, T.float16)
  local O = T.empty({N, L}, T.float16)
  for bx, by in T.Kernel(T.ceildiv(L, BLOCK_L), T.ceildiv(N, BLOCK_N)) do
    local X_tile = T.alloc_shared({BLOCK_N, BLOCK_L + KL - 1}, T.float16)   -- with the halo
    local W_tile = T.alloc_shared({KL}, T.float16)
    local sum = T.alloc_fragment({BLOCK_N, BLOCK_L}, T.float32)
    T.copy(X[by * BLOCK_N, bx * BLOCK_L], X_tile)   -- behind the end of X: zeros
    T.copy(W, W_tile)
    T.clear(sum)
    for k in T.Serial(KL) do
      for i, j in T.Parallel(BLOCK_N, BLOCK_L) do
        sum[i, j] += X_tile[i, j + k]:astype(T.float32) * W_tile[k]:astype(T.float32)
      end
    end
    T.copy(sum, O[by * BLOCK_N, bx * BLOCK_L])
  end
  return O
end)

conv_channels = tl.jit(function(X, W, BLOCK_N, BLOCK_L, BLOCK_F)
  local N, L, KL, F = T.const "N, L, KL, F"
  X: T.Tensor({N, L}, T.float16)
  W: T.Tensor({KL, F}, T.float16)
  local O = T.empty({N, L, F}, T.float16)
  for bx, by, bz in T.Kernel(T.ceildiv(F, BLOCK_F), T.ceildiv(L, BLOCK_L),
    T.ceildiv(N, BLOCK_N)) do
    local X_tile = T.alloc_shared({BLOCK_N, BLOCK_L + KL - 1}, T.float16)
    local W_tile = T.alloc_shared({KL, BLOCK_F}, T.float16)
    local sum = T.alloc_fragment({BLOCK_N, BLOCK_L, BLOCK_F}, T.float32)
    T.copy(X[bz * BLOCK_N, by * BLOCK_L], X_tile)
    T.copy(W[0, bx * BLOCK_F], W_tile)
    T.clear(sum)
    for k in T.Serial(KL) do
      for i, j, f in T.Parallel(BLOCK_N, BLOCK_L, BLOCK_F) do
        sum[i, j, f] += X_tile[i, j + k]:astype(T.float32) * W_tile[k, f]:astype(T.float32)
      end
    end
    T.copy(sum, O[bz * BLOCK_N, by * BLOCK_L, bx * BLOCK_F])
  end
  return O
end)

conv_im2col = tl.jit(function(X, W, BLOCK_P, BLOCK_K, BLOCK_F)
  local N, L, KL, F = T.const "N, L, KL, F"
  X: T.Tensor({N, L}, T.float16)
  W: T.Tensor({KL, F}, T.float16)
  local O = T.empty({N, L, F}, T.float16)
  for bx, by in T.Kernel(T.ceildiv(F, BLOCK_F), T.ceildiv(N * L, BLOCK_P)) do
    local O_rows = T.reshape(O, {N * L, F})   -- the same memory, one row for each position
    local windows = T.alloc_shared({BLOCK_P, BLOCK_K}, T.float16)
    local W_tile = T.alloc_shared({BLOCK_K, BLOCK_F}, T.float16)
    local sum = T.alloc_fragment({BLOCK_P, BLOCK_F}, T.float32)
    for i, k in T.Parallel(BLOCK_P, BLOCK_K) do
      local p = by * BLOCK_P + i
      windows[i, k] = X[p // L, p % L + k]   -- outside X: zeros
    end
    T.copy(W[0, bx * BLOCK_F], W_tile)       -- rows from KL on: zeros
    T.clear(sum)
    T.gemm(windows, W_tile, sum)
    T.copy(sum, O_rows[by * BLOCK_P, bx * BLOCK_F])
  end
  return O
end)
