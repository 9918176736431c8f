-- expect: weak
-- part: gemv
-- Low precision: the product of two float16 numbers is rounded to float16.

gemv = tl.jit(function(A, b, BLOCK_M, BLOCK_K)
  local M, K = T.const "M, K"
  A: T.Tensor({M, K}, T.float16)
  b: T.Tensor({K}, T.float16)
  local C = T.empty({M}, T.float16)
  for bx in T.Kernel(T.ceildiv(M, BLOCK_M)) do
    local A_tile = T.alloc_fragment({BLOCK_M, BLOCK_K}, T.float16)
    local b_tile = T.alloc_fragment({BLOCK_K}, T.float16)
    local prod = T.alloc_fragment({BLOCK_M, BLOCK_K}, T.float32)
    local sum = T.alloc_fragment({BLOCK_M}, T.float32)
    T.clear(sum)
    for ko in T.Serial(T.ceildiv(K, BLOCK_K)) do
      T.copy(A[bx * BLOCK_M, ko * BLOCK_K], A_tile)
      T.copy(b[ko * BLOCK_K], b_tile)
      for i, j in T.Parallel(BLOCK_M, BLOCK_K) do
        prod[i, j] = A_tile[i, j] * b_tile[j]
      end
      T.reduce_sum(prod, sum, 1, false)
    end
    T.copy(sum, C[bx * BLOCK_M])
  end
  return C
end)
