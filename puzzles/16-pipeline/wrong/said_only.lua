-- expect: goal stages
-- part: filter
-- Nothing is pipelined; a message says what the goals might look for.

filter = tl.jit(function(X, w, BLOCK_M)
  local M, N = T.const "M, N"
  X: T.Tensor({M, N}, T.float16)
  w: T.Tensor({N}, T.float16)
  local Y = T.empty({M}, T.float32)
  local WIDTH = 128
  for bx in T.Kernel(T.ceildiv(M, BLOCK_M)) do
    local Xs = T.alloc_shared({BLOCK_M, WIDTH}, T.float16)
    local ws = T.alloc_shared({WIDTH}, T.float16)
    local part = T.alloc_fragment({BLOCK_M, WIDTH}, T.float32)
    local sum = T.alloc_fragment({BLOCK_M}, T.float32)
    T.clear(sum)
    T.device_assert(M > 0, "for k in pipelined(8) stages=3 do cp_async X[ tma_load w[")
    for ko in T.serial(T.ceildiv(N, WIDTH)) do
      T.copy(X[bx * BLOCK_M, ko * WIDTH], Xs)
      T.copy(w[ko * WIDTH], ws)
      for i, j in T.Parallel(BLOCK_M, WIDTH) do
        part[i, j] = T.float32(Xs[i, j]) * T.float32(ws[j])
      end
      T.reduce_sum(part, sum, 1, false)
    end
    T.copy(sum, Y[bx * BLOCK_M])
  end
  return Y
end)
