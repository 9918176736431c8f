-- ops/rmsnorm.lua: x / sqrt(mean(x^2) + eps) * w along the last axis.
--
-- A block takes several rows one after the other, so that it reads the weights
-- once; a row stays in registers between its sum and its result.
local config = require "moontile.ops.config"
local tl = require "moontile.tl"
local T = require "moontile.T"

local M = {}

-- each: float32 registers of a thread that hold a row; threads: of a block, at
-- least and at most; rows: that a block does one after the other
M.rows = {
  gpu = {each = 32, least = 256, most = 1024, rows = 1},
  cpu = {each = 1 << 12, least = 256, most = 256, rows = 4},
}

local norm = tl.jit(function(X, W, eps, dtype, ROWS, BM, BN, THREADS)
  local R, N = T.const "R, N"
  X: T.Tensor({R, N}, dtype)
  W: T.Tensor({N}, dtype)
  eps: T.float32
  local Y = T.empty({R, N}, dtype)
  for bx in T.Kernel(T.ceildiv(R, BM * ROWS), {threads = THREADS}) do
    local x = T.alloc_fragment({BM, BN}, T.float32)
    local sq = T.alloc_fragment({BM, BN}, T.float32)
    local w = T.alloc_fragment({BN}, dtype)
    local r = T.alloc_fragment({BM}, T.float32)
    T.copy(W[0], w)
    for k in T.serial(ROWS) do
      local row = (bx * ROWS + k) * BM
      T.copy(X[row, 0], x)
      for i, j in T.Parallel(BM, BN) do
        sq[i, j] = x[i, j] * x[i, j]
      end
      T.reduce_sum(sq, r, 1)
      for i in T.Parallel(BM) do
        r[i] = T.rsqrt(r[i] * (1 / N) + eps)
      end
      for i, j in T.Parallel(BM, BN) do
        x[i, j] = x[i, j] * r[i] * T.cast(w[j], T.float32)
      end
      T.copy(x, Y[row, 0])
    end
  end
  return Y
end)

-- The compiled kernel for r rows of n; called with x, w, eps.
function M.kernel(r, n, dtype)
  local c = config.pick(M.rows)
  local bn = config.power_of_two(n)
  local threads = math.max(c.least, math.min(c.most, bn // c.each))
  local bm = math.max(1, threads * c.each // bn)
  return norm:compile {R = r, N = n, dtype = dtype, BM = bm, BN = bn,
    ROWS = math.max(1, math.min(c.rows, r // bm)), THREADS = threads}
end

function M.rmsnorm(x, w, eps)
  local n = x.shape[x.ndim]
  local rows = x:reshape {-1, n}
  return M.kernel(rows.shape[1], n, x.dtype)(rows, w, eps or 1e-6):reshape(x.shape)
end

return M
