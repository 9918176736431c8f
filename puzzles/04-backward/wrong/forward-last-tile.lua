-- expect: unwritten E609
-- part: forward
-- No blocks for the tiles that are not full.
forward = tl.jit(function(A, B, BLOCK_M, BLOCK_N)
  local M, N = T.const "M, N"
  A: T.Tensor({M, N}, T.float16)
  B: T.Tensor({N}, T.float16)
  local C = T.empty({M, N}, T.float16)
  for bx, by in T.Kernel(T.max(1, N // BLOCK_N), T.max(1, M // BLOCK_M), {threads = 128}) do
    local a = T.alloc_fragment({BLOCK_M, BLOCK_N}, T.float16)
    local b = T.alloc_fragment({BLOCK_N}, T.float16)
    T.copy(A[by * BLOCK_M, bx * BLOCK_N], a)
    T.copy(B[bx * BLOCK_N], b)
    for i, j in T.Parallel(BLOCK_M, BLOCK_N) do
      a[i, j] = T.max(a[i, j] * b[j], 0)
    end
    T.copy(a, C[by * BLOCK_M, bx * BLOCK_N])
  end
  return C
end)
