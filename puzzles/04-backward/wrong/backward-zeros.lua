-- expect: wrong zeros
-- part: backward
-- Lets nothing back at all.
backward = tl.jit(function(A, B, dC, BLOCK_M, BLOCK_N)
  local M, N = T.const "M, N"
  A: T.Tensor({M, N}, T.float16)
  B: T.Tensor({N}, T.float16)
  dC: T.Tensor({M, N}, T.float16)
  local dA = T.empty({M, N}, T.float16)
  for bx, by in T.Kernel(T.ceildiv(N, BLOCK_N), T.ceildiv(M, BLOCK_M), {threads = 128}) do
    local a = T.alloc_fragment({BLOCK_M, BLOCK_N}, T.float16)
    local b = T.alloc_fragment({BLOCK_N}, T.float16)
    local d = T.alloc_fragment({BLOCK_M, BLOCK_N}, T.float16)
    T.copy(A[by * BLOCK_M, bx * BLOCK_N], a)
    T.copy(B[bx * BLOCK_N], b)
    T.copy(dC[by * BLOCK_M, bx * BLOCK_N], d)
    for i, j in T.Parallel(BLOCK_M, BLOCK_N) do
      d[i, j] = 0
    end
    T.copy(d, dA[by * BLOCK_M, bx * BLOCK_N])
  end
  return dA
end)
