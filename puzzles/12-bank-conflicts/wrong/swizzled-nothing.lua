-- expect: unwritten
-- part: swizzled
-- The layout is there, the stores are not.
swizzled = tl.jit(function(A, BLOCK_M, BLOCK_N)
  local M, N = T.const "M, N"
  A: T.Tensor({M, N}, T.float32)
  local B = T.empty({N, M}, T.float32)
  for bx, by in T.Kernel(T.ceildiv(N, BLOCK_N), T.ceildiv(M, BLOCK_M)) do
    local tile = T.alloc_shared({BLOCK_M, BLOCK_N}, T.float32)
    T.annotate_layout {[tile] = T.Layout({BLOCK_M, BLOCK_N}, function(i, j)
      return i * BLOCK_N + (j ~ i)
    end)}
    T.copy(A[by * BLOCK_M, bx * BLOCK_N], tile)
  end
  return B
end)
