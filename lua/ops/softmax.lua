-- ops/softmax.lua: softmax along the last axis.
--
-- A row that fits into the registers of a block is read once and written once,
-- the least traffic there can be; a longer one is read twice, with a running
-- maximum and sum (lua/examples/softmax.lua tells how).
local config = require "moontile.ops.config"
local tl = require "moontile.tl"
local T = require "moontile.T"

local M = {}

-- each: float32 registers of a thread that hold a row; threads: of a block, at
-- least and at most; piece: elements of a long row at a time
M.rows = {
  gpu = {each = 64, least = 128, most = 1024, piece = 8192},
  cpu = {each = 256, least = 256, most = 256, piece = 8192},
}

local LOG2E = 1.4426950408889634

local whole = tl.jit(function(X, dtype, BM, BN, THREADS)
  local R, N = T.const "R, N"
  X: T.Tensor({R, N}, dtype)
  local Y = T.empty({R, N}, dtype)
  for bx in T.Kernel(T.ceildiv(R, BM), {threads = THREADS}) do
    local x = T.alloc_fragment({BM, BN}, T.float32)
    local m = T.alloc_fragment({BM}, T.float32)
    local l = T.alloc_fragment({BM}, T.float32)
    T.annotate_safe_value{[X] = -T.infinity(dtype)}
    T.copy(X[bx * BM, 0], x)
    T.reduce_max(x, m, 1)
    for i, j in T.Parallel(BM, BN) do
      x[i, j] = T.__exp2(x[i, j] * LOG2E - m[i] * LOG2E)
    end
    T.reduce_sum(x, l, 1)
    for i in T.Parallel(BM) do
      l[i] = 1 / l[i]
    end
    for i, j in T.Parallel(BM, BN) do
      x[i, j] = x[i, j] * l[i]
    end
    T.copy(x, Y[bx * BM, 0])
  end
  return Y
end)

local pieces = tl.jit(function(X, dtype, BN, THREADS)
  local R, N = T.const "R, N"
  X: T.Tensor({R, N}, dtype)
  local Y = T.empty({R, N}, dtype)
  for row in T.Kernel(R, {threads = THREADS}) do
    local x = T.alloc_fragment({BN}, T.float32)
    local m = T.alloc_fragment({1}, T.float32)
    local old = T.alloc_fragment({1}, T.float32)
    local l = T.alloc_fragment({1}, T.float32)
    local sum = T.alloc_fragment({1}, T.float32)
    T.annotate_safe_value{[X] = -T.infinity(dtype)}
    T.fill(m, -T.infinity(T.float32))
    T.clear(l)
    for k in T.serial(T.ceildiv(N, BN)) do
      T.copy(X[row, k * BN], x)
      T.copy(m, old)
      T.reduce_max(x, m, 0, false)
      for j in T.Parallel(BN) do
        x[j] = T.__exp2(x[j] * LOG2E - m[0] * LOG2E)
      end
      T.reduce_sum(x, sum, 0)
      for i in T.Parallel(1) do
        l[i] = l[i] * T.__exp2((old[i] - m[i]) * LOG2E) + sum[i]
      end
    end
    for i in T.Parallel(1) do
      l[i] = 1 / l[i]
    end
    for k in T.serial(T.ceildiv(N, BN)) do
      T.copy(X[row, k * BN], x)
      for j in T.Parallel(BN) do
        x[j] = T.__exp2(x[j] * LOG2E - m[0] * LOG2E) * l[0]
      end
      T.copy(x, Y[row, k * BN])
    end
  end
  return Y
end)

-- The compiled kernel for r rows of n.
function M.kernel(r, n, dtype)
  local c = config.pick(M.rows)
  local bn = config.power_of_two(n)
  if bn > c.each * c.most then
    return pieces:compile {R = r, N = n, dtype = dtype, BN = c.piece, THREADS = c.least}
  end
  local threads = math.max(c.least, math.min(c.most, bn // c.each))
  local bm = math.max(1, threads * c.each // bn)
  return whole:compile {R = r, N = n, dtype = dtype, BM = bm, BN = bn, THREADS = threads}
end

function M.softmax(x)
  local n = x.shape[x.ndim]
  local rows = x:reshape {-1, n}
  return M.kernel(rows.shape[1], n, x.dtype)(rows):reshape(x.shape)
end

return M
