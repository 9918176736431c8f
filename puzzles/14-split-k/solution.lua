-- 14. Many hands, one sum

total = tl.jit(function(A, BLOCK)
  local N = T.const "N"
  A: T.Tensor({N}, T.float32)
  local S = T.empty({1}, T.float32)
  for bx in T.Kernel(1) do
    T.clear(S)
  end
  for bx in T.Kernel(T.ceildiv(N, BLOCK)) do
    local a = T.alloc_fragment({BLOCK}, T.float32)
    local s = T.alloc_fragment({1}, T.float32)
    T.copy(A[bx * BLOCK], a)
    T.reduce_sum(a, s, 0)
    T.atomic_add(S, s)
  end
  return S
end)

split_k = tl.jit(function(A, B, SPLIT, BLOCK_M, BLOCK_N, BLOCK_K)
  local M, N, K = T.const "M, N, K"
  A: T.Tensor({M, K}, T.float16)
  B: T.Tensor({K, N}, T.float16)
  local C = T.empty({M, N}, T.float32)
  local rows = T.ceildiv(M, BLOCK_M)
  local cols = T.ceildiv(N, BLOCK_N)
  local steps = T.ceildiv(T.ceildiv(K, BLOCK_K), SPLIT)
  for bx, by in T.Kernel(cols, rows) do
    local zero = T.alloc_fragment({BLOCK_M, BLOCK_N}, T.float32)
    T.clear(zero)
    T.copy(zero, C[by * BLOCK_M, bx * BLOCK_N])
  end
  for bx, by, bz in T.Kernel(cols, rows, SPLIT) do
    local As = T.alloc_shared({BLOCK_M, BLOCK_K}, T.float16)
    local Bs = T.alloc_shared({BLOCK_K, BLOCK_N}, T.float16)
    local Cl = T.alloc_fragment({BLOCK_M, BLOCK_N}, T.float32)
    T.clear(Cl)
    for ko in T.Pipelined(steps, {num_stages = 2}) do
      local k = (bz * steps + ko) * BLOCK_K
      T.copy(A[by * BLOCK_M, k], As)
      T.copy(B[k, bx * BLOCK_N], Bs)
      T.gemm(As, Bs, Cl)
    end
    T.atomic_add(C[by * BLOCK_M, bx * BLOCK_N], Cl)
  end
  return C
end)
