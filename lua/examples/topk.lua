-- topk.lua: the K largest of each row and where they stand, as a router does
-- that sends a token to K of its experts.
--
-- For small K, taking the maximum K times beats sorting: the row stays in
-- registers, and each round is two reductions, one for the value and one for
-- the lowest column that holds it, which is then struck out.
--
--     moontile lua/examples/topk.lua [small]
local ex = require "moontile.examples.frame"

local topk = tl.jit(function(X, K, BM)
  local M, N = T.const "M, N"
  X: T.Tensor({M, N}, T.float32)
  local V = T.empty({M, K}, T.float32)
  local I = T.empty({M, K}, T.int32)
  for bx in T.Kernel(T.ceildiv(M, BM), {threads = 128}) do
    local x = T.alloc_fragment({BM, N}, T.float32)
    local column = T.alloc_fragment({BM, N}, T.int32)
    local best = T.alloc_fragment({BM}, T.float32)
    local at = T.alloc_fragment({BM}, T.int32)
    T.copy(X[bx * BM, 0], x)
    for k in T.serial(K) do
      T.reduce_max(x, best, 1)
      for i, j in T.Parallel(BM, N) do
        column[i, j] = x[i, j] == best[i] and j or N
      end
      T.reduce_min(column, at, 1)
      for i, j in T.Parallel(BM, N) do
        x[i, j] = j == at[i] and -T.infinity(T.float32) or x[i, j]
      end
      for i in T.Parallel(BM) do
        V[bx * BM + i, k] = best[i]
        I[bx * BM + i, k] = at[i]
      end
    end
  end
  return V, I
end)

local function check(M, N, K)
  local x = tl.randn({M, N}, "float32")
  local values, columns = topk(x, K, 16)
  local want_values, want_columns = tl.ref.topk(x, K)
  local what = ("%d of %dx%d"):format(K, M, N)
  ex.close(what .. ", values", values, want_values, {rtol = 0, atol = 0})
  ex.close(what .. ", columns", columns, want_columns, {rtol = 0, atol = 0})
  ex.time(what, {byte = 4 * M * N}, topk:compile(x, K, 16), x)
end

tl.manual_seed(16)
if ex.small then
  check(19, 37, 3)
else
  check(8192, 128, 8)
  check(4099, 160, 6)
end
