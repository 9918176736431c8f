-- expect: wrong visible
-- part: forward
-- The gains of the first tile for every tile: right where there is one.
forward = tl.jit(function(A, B, BLOCK_M, BLOCK_N)
  local M, N = T.const "M, N"
  A: T.Tensor({M, N}, T.float16)
  B: T.Tensor({N}, T.float16)
  local C = T.empty({M, N}, T.float16)
  for bx, by in T.Kernel(T.ceildiv(N, BLOCK_N), T.ceildiv(M, BLOCK_M), {threads = 128}) do
    local a = T.alloc_fragment({BLOCK_M, BLOCK_N}, T.float16)
    local b = T.alloc_fragment({BLOCK_N}, T.float16)
    T.copy(A[by * BLOCK_M, bx * BLOCK_N], a)
    T.copy(B[0], b)
    for i, j in T.Parallel(BLOCK_M, BLOCK_N) do
      a[i, j] = T.max(a[i, j] * b[j], 0)
    end
    T.copy(a, C[by * BLOCK_M, bx * BLOCK_N])
  end
  return C
end)
