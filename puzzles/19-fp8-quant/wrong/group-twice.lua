-- expect: goal once
-- part: group_scales
-- Right, but X is read a second time for the division.
group_scales = tl.jit(function(X, BLOCK_M, GROUP)
  local M, N = T.const "M, N"
  X: T.Tensor({M, N}, T.float16)
  local G = T.ceildiv(N, GROUP)
  local Q = T.empty({M, N}, T.float8_e4m3fn)
  local S = T.empty({M, G}, T.float32)
  for bx, by in T.Kernel(G, T.ceildiv(M, BLOCK_M), {threads = 128}) do
    local x = T.alloc_fragment({BLOCK_M, GROUP}, T.float32)
    local s = T.alloc_fragment({BLOCK_M}, T.float32)
    T.copy(X[by * BLOCK_M, bx * GROUP], x)
    T.reduce_absmax(x, s, 1)
    for i in T.Parallel(BLOCK_M) do
      s[i] = T.max(s[i], 1e-4) / 448
      S[by * BLOCK_M + i, bx] = s[i]
    end
    T.copy(X[by * BLOCK_M, bx * GROUP], x)
    for i, j in T.Parallel(BLOCK_M, GROUP) do
      x[i, j] = x[i, j] / s[i]
    end
    T.copy(x, Q[by * BLOCK_M, bx * GROUP])
  end
  return Q, S
end)
