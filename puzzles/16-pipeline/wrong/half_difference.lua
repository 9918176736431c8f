-- expect: weak
-- part: compare
-- Differences and squares in float16.

compare = tl.jit(function(X, D, BLOCK_M)
  local M, N = T.const "M, N"
  X: T.Tensor({M, N}, T.float16)
  D: T.Tensor({M, N}, T.float16)
  local E = T.empty({M}, T.float32)
  local WIDTH = 64
  for bx in T.Kernel(T.ceildiv(M, BLOCK_M)) do
    local Xs = T.alloc_shared({BLOCK_M, WIDTH}, T.float16)
    local Ds = T.alloc_shared({BLOCK_M, WIDTH}, T.float16)
    local part = T.alloc_fragment({BLOCK_M, WIDTH}, T.float32)
    local sum = T.alloc_fragment({BLOCK_M}, T.float32)
    T.clear(sum)
    for ko in T.Pipelined(T.ceildiv(N, WIDTH), {num_stages = 3}) do
      T.copy(X[bx * BLOCK_M, ko * WIDTH], Xs)
      T.copy(D[bx * BLOCK_M, ko * WIDTH], Ds)
      for i, j in T.Parallel(BLOCK_M, WIDTH) do
        local d = Xs[i, j] - Ds[i, j]
        part[i, j] = d * d
      end
      T.reduce_sum(part, sum, 1, false)
    end
    T.copy(sum, E[bx * BLOCK_M])
  end
  return E
end)
