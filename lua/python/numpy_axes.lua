-- python/numpy_axes.lua: the order of arrays' axes, and what NumPy says of an axis that an array has not.
--
--   into(np, of)   transpose and swapaxes; of(v): a value as an array
--   Error          numpy.exceptions.AxisError

local core = require "moontile.python.core"
local exc = require "moontile.python.exc"
local foreign = require "moontile.python.foreign"
local native = require "moontile.python.native"
local rows = require("moontile.tl.host.registry").rows
local rules = require("moontile.tl.tensor").rules

local M = {}

local None, array, to_lua = core.None, foreign.array, foreign.to_lua

M.Error = exc.define("numpy.exceptions", "AxisError", "ValueError", "IndexError")

-- AxisError(axis, ndim, prefix) writes its text; AxisError(text) has it.
local function axis_error(axis, ndim, prefix)
  local text = axis
  if ndim ~= nil and ndim ~= None then
    text = ("axis %s is out of bounds for array of dimension %s"):format(core.late.str(axis), core.late.str(ndim))
    text = prefix ~= nil and prefix ~= None and prefix .. ": " .. text or text
  end
  local e = exc.make(M.Error, text)
  e.axis, e.ndim = ndim ~= nil and axis or None, ndim or None
  return e
end
M.Error.construct = axis_error

-- An axis from 0 of n, of which negative ones count from the end.
local function axis_of(axis, n, prefix)
  axis = to_lua(axis)
  if math.type(axis) ~= "integer" then
    exc.fail("TypeError", ("'%s' object cannot be interpreted as an integer"):format(core.typename(axis)))
  elseif axis < -n or axis >= n then
    exc.throw(axis_error(axis, n, prefix))
  end
  return axis % n
end

-- What tl says of tensors' dimensions, NumPy of its arrays'.
function rules.no_axis(t, axis, n)
  if core.late.isarray(t) then
    exc.throw(axis_error(axis, n))
  end
end

-- The axes given, one by one or as one tuple; without any, the last first.
local function order(n, first, ...)
  local given = to_lua(first)
  if type(given) ~= "table" then
    given = first ~= nil and first ~= None and {given, ...} or nil
  end
  local list, seen = {}, {}
  if not given then
    for i = 1, n do list[i] = n - i end
    return list
  elseif #given ~= n then
    exc.fail("ValueError", "axes don't match array")
  end
  for i, axis in ipairs(given) do
    list[i] = axis_of(axis, n)
    if seen[list[i]] then
      exc.fail("ValueError", "repeated axis in transpose")
    end
    seen[list[i]] = true
  end
  return list
end

local function transposed(t, ...)
  local list = order(t.ndim, ...)
  return array(t.ndim == 0 and t or rows.permute.fn(t, list), true)
end

function M.into(np, of)
  local function def(name, spec, f) np[name] = native.make("numpy." .. name, spec, f) end
  def("transpose", "a, axes?", function(a, axes) return transposed(of(a), axes) end)
  def("swapaxes", "a, axis1, axis2", function(a, x, y)
    local t = of(a)
    return array(rows.transpose.fn(t, axis_of(x, t.ndim, "axis1"), axis_of(y, t.ndim, "axis2")))
  end)
end

foreign.array_methods.transpose = native.make("ndarray.transpose", "**", function(_, a, ...) return transposed(a, ...) end)

return M
