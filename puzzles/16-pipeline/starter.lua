-- 16. Ask ahead

-- This kernel is correct, but waits for its data in every iteration.
-- Look at it first, at the prompt (moontile -i 16-pipeline.lua):
--     k = filter:compile{M = 64, N = 1024, BLOCK_M = 16}
--     :trace k
filter = tl.jit(function(X, w, BLOCK_M)
  local M, N = T.const "M, N"
  X: T.Tensor({M, N}, T.float16)
  w: T.Tensor({N}, T.float16)
  local Y = T.empty({M}, T.float32)
  local WIDTH = 256 -- columns per iteration: yours to choose
  for bx in T.Kernel(T.ceildiv(M, BLOCK_M)) do
    local Xs = T.alloc_shared({BLOCK_M, WIDTH}, T.float16)
    local ws = T.alloc_shared({WIDTH}, T.float16)
    local part = T.alloc_fragment({BLOCK_M, WIDTH}, T.float32)
    local sum = T.alloc_fragment({BLOCK_M}, T.float32)
    T.clear(sum)
    -- your turn: three stages or more, in 16384 bytes
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

compare = tl.jit(function(X, D, BLOCK_M)
  local M, N = T.const "M, N"
  X: T.Tensor({M, N}, T.float16)
  D: T.Tensor({M, N}, T.float16)
  local E = T.empty({M}, T.float32)
  for bx in T.Kernel(T.ceildiv(M, BLOCK_M)) do
    local sum = T.alloc_fragment({BLOCK_M}, T.float32)
    T.clear(sum)
    -- your turn: sum[i] = the sum of (X[i, j] - D[i, j])^2 over all j, in a pipeline
    T.copy(sum, E[bx * BLOCK_M])
  end
  return E
end)
