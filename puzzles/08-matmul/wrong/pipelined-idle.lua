-- expect: goal stages
-- part: gemm_pipelined
-- A pipeline that brings nothing stands beside the loop.

gemm_pipelined = tl.jit(function(A, B, BLOCK_M, BLOCK_N, BLOCK_K)
  local M, N, K = T.const "M, N, K"
  A: T.Tensor({M, K}, T.float16)
  B: T.Tensor({K, N}, T.float16)
  local C = T.empty({M, N}, T.float16)
  for bx, by in T.Kernel(T.ceildiv(N, BLOCK_N), T.ceildiv(M, BLOCK_M)) do
    local A_tile = T.alloc_shared({BLOCK_M, BLOCK_K}, T.float16)
    local B_tile = T.alloc_shared({BLOCK_K, BLOCK_N}, T.float16)
    local C_tile = T.alloc_fragment({BLOCK_M, BLOCK_N}, T.float32)
    T.clear(C_tile)
    for _ in T.Pipelined(1, {num_stages = 3}) do
      T.clear(C_tile)
    end
    for ko in T.serial(T.ceildiv(K, BLOCK_K)) do
      T.copy(A[by * BLOCK_M, ko * BLOCK_K], A_tile)
      T.copy(B[ko * BLOCK_K, bx * BLOCK_N], B_tile)
      T.gemm(A_tile, B_tile, C_tile)
    end
    T.copy(C_tile, C[by * BLOCK_M, bx * BLOCK_N])
  end
  return C
end)
