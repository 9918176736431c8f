-- 10. Weights in four bits.  C = A * W, where W[k, j] = (a nibble of B[k, j // 2]) - 8:
-- the low one for even j, the high one for odd j.
-- 10. 四位权重。C = A * W，其中 W[k, j] 等于 B[k, j // 2] 的半字节减 8：
-- j 为偶数取低半字节，为奇数取高半字节。

dequant = tl.jit(function(A, B, BLOCK_M, BLOCK_N, BLOCK_K)
  local M, K, H = T.const "M, K, H"
  A: T.Tensor({M, K}, T.float16)
  B: T.Tensor({K, H}, T.uint8)
  local C = T.empty({M, 2 * H}, T.float16)
  for bx, by in T.Kernel(T.ceildiv(2 * H, BLOCK_N), T.ceildiv(M, BLOCK_M)) do
    local C_tile = T.alloc_fragment({BLOCK_M, BLOCK_N}, T.float32)
    T.clear(C_tile)
    -- your turn: a pipelined loop along K that brings in A and the bytes, unpacks, multiplies
    -- 请在这里写：沿 K 的流水循环，取入 A 和字节，解包，相乘
    T.copy(C_tile, C[by * BLOCK_M, bx * BLOCK_N])
  end
  return C
end)
