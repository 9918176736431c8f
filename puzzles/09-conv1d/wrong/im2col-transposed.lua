-- expect: wrong
-- part: conv_im2col
-- Rows are taken for N by turns: p % N and p // N.

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
      windows[i, k] = X[p % N, p // N + k]   -- outside X: zeros
    end
    T.copy(W[0, bx * BLOCK_F], W_tile)       -- rows from KL on: zeros
    T.clear(sum)
    T.gemm(windows, W_tile, sum)
    T.copy(sum, O_rows[by * BLOCK_P, bx * BLOCK_F])
  end
  return O
end)
