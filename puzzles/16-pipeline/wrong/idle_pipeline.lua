-- expect: goal stages
-- part: filter
-- A pipeline that brings nothing stands beside the loop, whose copies are waited for at once.

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
    for _ in T.Pipelined(1, {num_stages = 3}) do
      T.clear(part)
    end
    for ko in T.serial(T.ceildiv(N, WIDTH)) do
      T.async_copy(X[bx * BLOCK_M, ko * WIDTH], Xs)
      T.async_copy(w[ko * WIDTH], ws)
      T.ptx_wait_group(0)
      T.sync_threads()
      for i, j in T.Parallel(BLOCK_M, WIDTH) do
        part[i, j] = T.float32(Xs[i, j]) * T.float32(ws[j])
      end
      T.reduce_sum(part, sum, 1, false)
      T.sync_threads()
    end
    T.copy(sum, Y[bx * BLOCK_M])
  end
  return Y
end)
