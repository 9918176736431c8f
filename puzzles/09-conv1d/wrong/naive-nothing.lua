-- expect: unwritten
-- part: conv_naive
-- Nothing written.

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
  end
  return O
end)
