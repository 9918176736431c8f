-- expect: unwritten E523
-- part: forward
-- The product stays in registers.
forward = tl.jit(function(A, B, BLOCK_M, BLOCK_N)
  local M, N = T.const "M, N"
  A: T.Tensor({M, N}, T.float16)
  B: T.Tensor({N}, T.float16)
  local C = T.empty({M, N}, T.float16)
  for bx, by in T.Kernel(T.ceildiv(N, BLOCK_N), T.ceildiv(M, BLOCK_M), {threads = 128}) do
    local a = T.alloc_fragment({BLOCK_M, BLOCK_N}, T.float16)
    local b = T.alloc_fragment({BLOCK_N}, T.float16)
    T.copy(A[by * BLOCK_M, bx * BLOCK_N], a)
    T.copy(B[bx * BLOCK_N], b)
    for i, j in T.Parallel(BLOCK_M, BLOCK_N) do
      a[i, j] = T.max(a[i, j] * b[j], 0)
    end
  end
  return C
end)
