-- expect: goal stages
-- A pipeline that brings one tile in vain stands in front of the loop.

dequant = tl.jit(function(A, B, BLOCK_M, BLOCK_N, BLOCK_K)
  local M, K, H = T.const "M, K, H"
  A: T.Tensor({M, K}, T.float16)
  B: T.Tensor({K, H}, T.uint8)
  local C = T.empty({M, 2 * H}, T.float16)
  for bx, by in T.Kernel(T.ceildiv(2 * H, BLOCK_N), T.ceildiv(M, BLOCK_M)) do
    local A_tile = T.alloc_shared({BLOCK_M, BLOCK_K}, T.float16)
    local B_tile = T.alloc_shared({BLOCK_K, BLOCK_N // 2}, T.uint8)
    local W_tile = T.alloc_shared({BLOCK_K, BLOCK_N}, T.float16)
    local C_tile = T.alloc_fragment({BLOCK_M, BLOCK_N}, T.float32)
    T.clear(C_tile)
    for _ in T.Pipelined(1, {num_stages = 3}) do
      T.copy(A[by * BLOCK_M, 0], A_tile)
    end
    for ko in T.serial(T.ceildiv(K, BLOCK_K)) do
      T.copy(A[by * BLOCK_M, ko * BLOCK_K], A_tile)
      T.copy(B[ko * BLOCK_K, bx * (BLOCK_N // 2)], B_tile)
      for i, j in T.Parallel(BLOCK_K, BLOCK_N) do
        W_tile[i, j] = T.cast((B_tile[i, j // 2] >> (j % 2 * 4)) & 15, T.float16) - 8
      end
      T.gemm(A_tile, W_tile, C_tile)
    end
    T.copy(C_tile, C[by * BLOCK_M, bx * BLOCK_N])
  end
  return C
end)
