-- expect: unwritten visible
-- part: conv_channels
-- Only whole tiles of filters: right for multiples of BLOCK_F.

conv_channels = tl.jit(function(X, W, BLOCK_N, BLOCK_L, BLOCK_F)
  local N, L, KL, F = T.const "N, L, KL, F"
  X: T.Tensor({N, L}, T.float16)
  W: T.Tensor({KL, F}, T.float16)
  local O = T.empty({N, L, F}, T.float16)
  for bx, by, bz in T.Kernel(T.max(1, F // BLOCK_F), T.ceildiv(L, BLOCK_L),
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
