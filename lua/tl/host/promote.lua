-- tl/host/promote.lua: the dtype of a result, and operands as tensors of it: PyTorch's rules.
--
-- Of tensors with dimensions, tensors without, and numbers, each class can raise the result only to
-- a higher kind (bool, integer, float), never to a wider dtype of the same kind.

local diag = require "moontile.diag"
local host = require "moontile.host"
local ondevice = require "moontile.tl.host.ondevice"
local rules = require("moontile.tl.tensor").rules
local tensor = require "moontile.tensor"
local device = require "moontile.tl.device"
local dry = require "moontile.tl.dry"
local W = require "moontile.base.translations"

local M = {}

-- Does dividing by a number multiply by its reciprocal?  So does PyTorch on a GPU (python/torch.lua).
M.reciprocal = false

local info, promote, text = rules.dtype_info, rules.promote, rules.shape_text

M.default_float = "float32"

local rank = {B = 0, U = 1, I = 1, F = 2}

function M.isfloat(dtype) return info(dtype).class == "F" end

local function number_dtype(v)
  return type(v) == "boolean" and "bool" or math.type(v) == "integer" and "int64" or M.default_float
end
M.number_dtype = number_dtype

-- A class with more weight, and one with less.
local function combine(high, low)
  if not high then return low end
  if not low then return high end
  return rank[info(low).class] > rank[info(high).class] and low or high
end

-- The dtype of an operation on tensors and numbers.
function M.result_type(...)
  local dims, none, numbers
  for i = 1, select("#", ...) do
    local v = select(i, ...)
    if tensor.istensor(v) and v.ndim > 0 then
      dims = dims and promote(dims, v.dtype) or v.dtype
    elseif tensor.istensor(v) then
      none = none and promote(none, v.dtype) or v.dtype
    elseif v ~= nil then
      numbers = numbers and promote(numbers, number_dtype(v)) or number_dtype(v)
    end
  end
  return combine(combine(dims, none), numbers)
end

-- Integers and bool as the float that functions like exp give.
function M.float_of(dtype)
  return M.isfloat(dtype) and dtype or M.default_float
end

-- A number or boolean as a tensor without dimensions, rounded as PyTorch does before it computes:
-- to float32 at least, or, with exact, to the dtype itself.
function M.scalar(v, dtype, exact)
  if type(v) == "boolean" then v = v and 1 or 0 end
  local d = info(dtype)
  if d.class ~= "F" then
    return tensor.from_table(v, math.type(v) == "integer" and "int64" or "float64")
  end
  local as = (exact or d.bits >= 32) and dtype or "float32"
  return tensor.from_table(v + 0.0, "float64"):astype(as)
end

function M.operand(v, dtype, exact)
  if tensor.istensor(v) then return v end
  return M.scalar(v, dtype, exact)
end

-- The same of what is computed in dtype: whole numbers and tensors without dimensions wrap around in a narrower integer,
-- as PyTorch has it; the latter are rounded to a narrower float too, but where exact is "wide".
function M.common(v, dtype, exact)
  local t = M.operand(v, dtype or M.number_dtype(v), exact == true)
  if not dtype or t.ndim > 0 or t.dtype == dtype or t.dtype == "bool" or dtype == "bool" then return t end
  local float = M.isfloat(dtype)
  if float ~= M.isfloat(t.dtype) or float and (exact == "wide" or not tensor.istensor(v)) then return t end
  return t:astype(dtype)
end

-- The shape that all of these broadcast to.
function M.broadcast(...)
  local shape, n = {}, 0
  for i = 1, select("#", ...) do
    local t = select(i, ...)
    local s = t.shape
    if #s > n then
      table.move(shape, 1, n, 1 + #s - n)
      for d = 1, #s - n do shape[d] = 1 end
      n = #s
    end
    for d = 1, #s do
      local at = n - #s + d
      local have, e = shape[at] or 1, s[d]
      if have ~= e and have ~= 1 and e ~= 1 then
        local before = {}
        for k = 1, n do before[k] = shape[k] end
        diag.fail("tensor_broadcast", "(" .. table.concat(before, ", ") .. ")", text(t))
      end
      shape[at] = have == 1 and e or have
    end
  end
  return shape
end

-- out = op of tensors, broadcast; p, q, r are the operator's numbers.
function M.elem(op, dtype, p, q, r, ...)
  local out = tensor.new(M.broadcast(...), dtype)
  return ondevice.elem(out, op, p, q, r, ...) or host.elem(out, op, p, q, r, ...)
end

-- The dimension of a tensor of n dimensions, counted from 0; a number without any has one.
function M.dim(t, dim, extra)
  if t.ndim == 0 and not extra and (dim == 0 or dim == -1) then return 0 end
  return rules.axis_arg(t, math.tointeger(dim) or dim, extra)
end

-- Several: a number, a list or nil (all), in rising order.
function M.dims(t, dims)
  local list, seen = {}, {}
  if dims == nil or type(dims) == "table" and #dims == 0 then
    for d = 0, t.ndim - 1 do list[#list + 1] = d end
    return list
  end
  for _, d in ipairs(type(dims) == "table" and dims or {dims}) do
    d = M.dim(t, d)
    if seen[d] then
      diag.fail("ops_arg", "tl.host", "dim", "named once", tostring(d))
    end
    seen[d] = true
    list[#list + 1] = d
  end
  table.sort(list)
  if t.ndim == 0 then return {} end
  return list
end

-- Under `moontile compile`, `check` and `explain` nobody looks at results: products stay zeros.
function M.unseen()
  return device.emit and not device.launched and not dry.hidden
end

-- Raises: argument `name` must be `want`.
function M.wrong(what, name, want, got)
  diag.fail("ops_arg", what, name, W(want), W(got))
end

return M
