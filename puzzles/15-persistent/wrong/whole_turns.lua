-- expect: unwritten visible
-- part: matmul
-- Whole turns only: tiles of the last one are missing.

matmul = tl.jit(function(A, B, BLOCKS, PANEL, BLOCK_M, BLOCK_N, BLOCK_K)
  local M, N, K = T.const "M, N, K"
  A: T.Tensor({M, K}, T.float16)
  B: T.Tensor({K, N}, T.float16)
  local C = T.empty({M, N}, T.float32)
  local rows = T.ceildiv(M, BLOCK_M)
  local cols = T.ceildiv(N, BLOCK_N)
  for p in T.Kernel(BLOCKS) do
    local As = T.alloc_shared({BLOCK_M, BLOCK_K}, T.float16)
    local Bs = T.alloc_shared({BLOCK_K, BLOCK_N}, T.float16)
    local Cl = T.alloc_fragment({BLOCK_M, BLOCK_N}, T.float32)
    for turn in T.serial(T.max(rows * cols // BLOCKS, 1)) do
      local m = (turn * BLOCKS + p) // cols
      local n = (turn * BLOCKS + p) % cols
      T.clear(Cl)
      for ko in T.Pipelined(T.ceildiv(K, BLOCK_K), {num_stages = 2}) do
        T.copy(A[m * BLOCK_M, ko * BLOCK_K], As)
        T.copy(B[ko * BLOCK_K, n * BLOCK_N], Bs)
        T.gemm(As, Bs, Cl)
      end
      T.copy(Cl, C[m * BLOCK_M, n * BLOCK_N])
    end
  end
  return C
end)
