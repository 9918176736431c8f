-- 9. Convolution.  O[.., j, ..] = sum over k of X[.., j + k] * W[k, ..], zeros behind the end of X.
-- 9. 卷积。O[.., j, ..] 等于 X[.., j + k] * W[k, ..] 对 k 求和，X 的末尾之后为零。

conv_naive = tl.jit(function(X, W, BLOCK_N, BLOCK_L)
  local N, L, KL = T.const "N, L, KL"
  X: T.Tensor({N, L}, T.float16)
  W: T.Tensor({KL}, T.float16)
  local O = T.empty({N, L}, T.float16)
  for bx, by in T.Kernel(T.ceildiv(L, BLOCK_L), T.ceildiv(N, BLOCK_N)) do
    local sum = T.alloc_fragment({BLOCK_N, BLOCK_L}, T.float32)
    T.clear(sum)
    -- your turn: bring in the part of X that this block needs, and W; add up the KL products
    -- 请在这里写：取入本线程块需要的那部分 X 以及 W，累加 KL 个乘积
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
    local sum = T.alloc_fragment({BLOCK_N, BLOCK_L, BLOCK_F}, T.float32)
    T.clear(sum)
    -- your turn: as above, with BLOCK_F filters at once
    -- 请在这里写：同上，但同时有 BLOCK_F 个滤波器
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
    local sum = T.alloc_fragment({BLOCK_P, BLOCK_F}, T.float32)
    T.clear(sum)
    -- your turn: a tile of windows, a tile of W (KL is at most BLOCK_K), one T.gemm
    -- 请在这里写：一个窗口分块、一个 W 分块（KL 不超过 BLOCK_K）、一次 T.gemm
    T.copy(sum, O_rows[by * BLOCK_P, bx * BLOCK_F])
  end
  return O
end)
