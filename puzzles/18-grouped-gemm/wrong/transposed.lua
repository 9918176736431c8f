-- expect: wrong visible
-- part: grouped
-- The matrix of the group is read as its transpose.

grouped = tl.jit(function(A, B, first, BLOCK_M, BLOCK_N, BLOCK_K)
  local M, N, K, G = T.const "M, N, K, G"
  A: T.Tensor({M, K}, T.float16)
  B: T.Tensor({G, K, N}, T.float16)
  first: T.Tensor({G + 1}, T.int32)
  local C = T.empty({M, N}, T.float32)
  for bx, by in T.Kernel(T.ceildiv(N, BLOCK_N), T.ceildiv(M, BLOCK_M) + G) do
    local As = T.alloc_shared({BLOCK_M, BLOCK_K}, T.float16)
    local Bs = T.alloc_shared({BLOCK_N, BLOCK_K}, T.float16)
    local Cl = T.alloc_fragment({BLOCK_M, BLOCK_N}, T.float32)
    local g = T.alloc_var(T.int32, -1)
    local row = T.alloc_var(T.int32, 0)
    local t = T.alloc_var(T.int32, by)
    for i in T.serial(G) do
      local tiles = T.ceildiv(first[i + 1] - first[i], BLOCK_M)
      if t >= 0 and t < tiles then
        g = i
        row = first[i] + t * BLOCK_M
      end
      t -= tiles
    end
    if g >= 0 then
      T.clear(Cl)
      for ko in T.Pipelined(T.ceildiv(K, BLOCK_K), {num_stages = 2}) do
        T.copy(A[row, ko * BLOCK_K], As)
        T.copy(B[g, bx * BLOCK_N, ko * BLOCK_K], Bs)
        T.gemm(As, Bs, Cl, {transpose_B = true})
      end
      for i, j in T.Parallel(BLOCK_M, BLOCK_N) do
        if row + i < first[g + 1] and bx * BLOCK_N + j < N then
          C[row + i, bx * BLOCK_N + j] = Cl[i, j]
        end
      end
    end
  end
  return C
end)
