-- 8. Matrix products.  Three kernels; start with the first, each builds on the one before.
-- 8. 矩阵乘。三个内核，从第一个开始，后一个以前一个为基础。

gemv = tl.jit(function(A, b, BLOCK_M, BLOCK_K)
  local M, K = T.const "M, K"
  A: T.Tensor({M, K}, T.float16)
  b: T.Tensor({K}, T.float16)
  local C = T.empty({M}, T.float16)
  for bx in T.Kernel(T.ceildiv(M, BLOCK_M)) do
    local sum = T.alloc_fragment({BLOCK_M}, T.float32)
    T.clear(sum)
    -- your turn: add up A[i, k] * b[k] over k, BLOCK_K of them at a time
    -- 请在这里写：对 k 累加 A[i, k] * b[k]，每次 BLOCK_K 个
    T.copy(sum, C[bx * BLOCK_M])
  end
  return C
end)

gemm_naive = tl.jit(function(A, B, BLOCK_M, BLOCK_N, BLOCK_K)
  local M, N, K = T.const "M, N, K"
  A: T.Tensor({M, K}, T.float16)
  B: T.Tensor({K, N}, T.float16)
  local C = T.empty({M, N}, T.float16)
  for bx, by in T.Kernel(T.ceildiv(N, BLOCK_N), T.ceildiv(M, BLOCK_M)) do
    local C_tile = T.alloc_fragment({BLOCK_M, BLOCK_N}, T.float32)
    T.clear(C_tile)
    -- your turn: walk along K; bring in a tile of A and one of B, multiply them with T.gemm
    -- 请在这里写：沿 K 前进，取入 A 和 B 的各一个分块，用 T.gemm 相乘
    T.copy(C_tile, C[by * BLOCK_M, bx * BLOCK_N])
  end
  return C
end)

gemm_pipelined = tl.jit(function(A, B, BLOCK_M, BLOCK_N, BLOCK_K)
  local M, N, K = T.const "M, N, K"
  A: T.Tensor({M, K}, T.float16)
  B: T.Tensor({K, N}, T.float16)
  local C = T.empty({M, N}, T.float16)
  for bx, by in T.Kernel(T.ceildiv(N, BLOCK_N), T.ceildiv(M, BLOCK_M)) do
    local C_tile = T.alloc_fragment({BLOCK_M, BLOCK_N}, T.float32)
    T.clear(C_tile)
    -- your turn: the same product; copies of the next tiles run while these are multiplied
    -- 请在这里写：同样的乘积，但在相乘的同时已在复制后面的分块
    T.copy(C_tile, C[by * BLOCK_M, bx * BLOCK_N])
  end
  return C
end)
