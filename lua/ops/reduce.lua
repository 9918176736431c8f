-- ops/reduce.lua: sums, means and maxima along the last axis or the first.
--
-- Along a row every thread adds to registers of its own and only the end is
-- added up across threads.  Down the columns a block owns a strip of them.
local config = require "moontile.ops.config"
local tl = require "moontile.tl"
local T = require "moontile.T"

local M = {}

-- threads of a block; loads: 16-byte loads of a thread at a time; columns: of
-- a strip, and its rows at a time
M.rows = {
  gpu = {threads = 256, loads = 8, columns = 64, deep = 64},
  cpu = {threads = 256, loads = 8, columns = 64, deep = 64},
}

local along = tl.jit(function(X, kind, scale, dtype, BM, BN, THREADS)
  local R, N = T.const "R, N"
  X: T.Tensor({R, N}, dtype)
  local Y = T.empty({R}, dtype)
  for bx in T.Kernel(T.ceildiv(R, BM), {threads = THREADS}) do
    local part = T.alloc_fragment({BM, BN}, T.float32)
    local sum = T.alloc_fragment({BM}, T.float32)
    if kind == "max" then
      T.annotate_safe_value{[X] = -T.infinity(dtype)}
    end
    T.copy(X[bx * BM, 0], part)
    if N > BN then
      local x = T.alloc_fragment({BM, BN}, T.float32)
      for k in T.serial(T.ceildiv(N, BN) - 1) do
        T.copy(X[bx * BM, (k + 1) * BN], x)
        for i, j in T.Parallel(BM, BN) do
          part[i, j] = kind == "max" and T.max(part[i, j], x[i, j]) or part[i, j] + x[i, j]
        end
      end
    end
    if kind == "max" then
      T.reduce_max(part, sum, 1)
    else
      T.reduce_sum(part, sum, 1)
    end
    for i in T.Parallel(BM) do
      sum[i] = sum[i] * scale
    end
    T.copy(sum, Y[bx * BM])
  end
  return Y
end)

local down = tl.jit(function(X, kind, scale, dtype, BM, BN, THREADS)
  local R, N = T.const "R, N"
  X: T.Tensor({R, N}, dtype)
  local Y = T.empty({N}, dtype)
  for bx in T.Kernel(T.ceildiv(N, BN), {threads = THREADS}) do
    local part = T.alloc_fragment({BM, BN}, T.float32)
    local sum = T.alloc_fragment({BN}, T.float32)
    if kind == "max" then
      T.annotate_safe_value{[X] = -T.infinity(dtype)}
    end
    T.copy(X[0, bx * BN], part)
    if R > BM then
      local x = T.alloc_fragment({BM, BN}, T.float32)
      for k in T.serial(T.ceildiv(R, BM) - 1) do
        T.copy(X[(k + 1) * BM, bx * BN], x)
        for i, j in T.Parallel(BM, BN) do
          part[i, j] = kind == "max" and T.max(part[i, j], x[i, j]) or part[i, j] + x[i, j]
        end
      end
    end
    if kind == "max" then
      T.reduce_max(part, sum, 0)
    else
      T.reduce_sum(part, sum, 0)
    end
    for j in T.Parallel(BN) do
      sum[j] = sum[j] * scale
    end
    T.copy(sum, Y[bx * BN])
  end
  return Y
end)

-- The compiled kernel for r rows of n: kind "sum", "mean" or "max", axis 0 or 1.
function M.kernel(kind, r, n, axis, dtype)
  local c = config.pick(M.rows)
  local most = c.threads * c.loads * config.vector(dtype)
  local scale = kind == "mean" and 1 / (axis == 1 and n or r) or 1.0
  local named = {R = r, N = n, kind = kind == "max" and "max" or "sum", scale = scale,
    dtype = dtype, THREADS = c.threads}
  if axis == 1 then
    named.BN = math.min(config.power_of_two(n), most)
    named.BM = math.max(1, most // 2 // named.BN)
    return along:compile(named)
  end
  named.BN = math.min(config.power_of_two(n), c.columns)
  named.BM = math.min(config.power_of_two(r), c.deep)
  return down:compile(named)
end

for _, kind in ipairs {"sum", "mean", "max"} do
  -- axis: -1, the last, or 0, the first
  M[kind] = function(x, axis)
    local last = axis == nil or axis == -1 or axis == x.ndim - 1
    local shape = x.shape
    local n = table.remove(shape, last and x.ndim or 1)
    local flat = last and x:reshape {-1, n} or x:reshape {n, -1}
    local r = flat.shape
    return M.kernel(kind, r[1], r[2], last and 1 or 0, x.dtype)(flat):reshape(shape)
  end
end

return M
