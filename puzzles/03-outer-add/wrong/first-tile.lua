-- expect: wrong visible
-- Right for the first tile: forgets where the others begin.
outer_add = tl.jit(function(A, B, BLOCK_M, BLOCK_N)
  local M, N = T.const "M, N"
  A: T.Tensor({M}, T.float16)
  B: T.Tensor({N}, T.float16)
  local C = T.empty({M, N}, T.float16)
  for bx, by in T.Kernel(T.ceildiv(N, BLOCK_N), T.ceildiv(M, BLOCK_M), {threads = 128}) do
    local a = T.alloc_fragment({BLOCK_M}, T.float16)
    local b = T.alloc_fragment({BLOCK_N}, T.float16)
    local c = T.alloc_fragment({BLOCK_M, BLOCK_N}, T.float16)
    T.copy(A[0], a)
    T.copy(B[0], b)
    for i, j in T.Parallel(BLOCK_M, BLOCK_N) do
      c[i, j] = a[i] + b[j]
    end
    T.copy(c, C[by * BLOCK_M, bx * BLOCK_N])
  end
  return C
end)
