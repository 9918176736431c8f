-- ops/config.lua: which configuration a call of the library takes.
--
-- An operator keeps its configurations in a small table: one row for a machine
-- ("sm_90a"), for a family of machines ("gpu") or for the cpu target.  What a
-- row depends on beside the machine, shapes and dtypes, is the operator's own.
local device = require "moontile.tl.device"
local ir = require "moontile.ir"
local types = require "moontile.base.types"

local M = {}

-- The whole spec of the target that kernels compiled now are for.
local function target()
  local spec = device.resolve()
  return ir.hasthreads(spec) and device.machine and device.machine(spec) or spec
end

-- The machine that kernels compiled now are for: "sm_90a", "cpu", "gpu" where
-- the target does not say which.
function M.machine()
  local spec = target()
  if not ir.hasthreads(spec) then
    return (device.on(spec):match "^%S+")
  end
  return spec:match "%-arch=(%S+)" or "gpu"
end

-- Has that machine matrix instructions for operands of this dtype?
function M.multiplies(dtype)
  return ir.multiplies(target(), dtype)
end

-- The row of this machine.
function M.pick(rows)
  local name = M.machine()
  return rows[name] or name ~= "cpu" and rows.gpu or rows.cpu or rows.gpu
end

-- Bytes of an element.
function M.size(dtype)
  return types.info(dtype).bits // 8
end

-- Elements of a dtype in the widest access of a thread, 16 bytes.
function M.vector(dtype)
  return 128 // types.info(dtype).bits
end

-- The least power of two that is not below n.
function M.power_of_two(n)
  local p = 1
  while p < n do
    p *= 2
  end
  return p
end

return M
