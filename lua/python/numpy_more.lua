-- python/numpy_more.lua: functions of NumPy's that are PyTorch's with other names, arguments or dtypes.

local core = require "moontile.python.core"
local exc = require "moontile.python.exc"
local foreign = require "moontile.python.foreign"
local native = require "moontile.python.native"
local registry = require "moontile.tl.host.registry"
local tensor = require "moontile.tensor"

local M = {}

local None, rows, array, to_lua = core.None, registry.rows, foreign.array, foreign.to_lua

local function given(v)
  if v ~= nil and v ~= None then return to_lua(v) end
end

local function flat(t) return t:reshape {t:numel()} end

function M.into(np, of, alike)
  local function def(name, spec, f) np[name] = native.make("numpy." .. name, spec, f) end
  -- along an axis, or of all the values in one row
  local function along(name, row)
    def(name, "a, axis?", function(a, axis)
      local t, d = of(a), given(axis)
      t = d and t or flat(t)
      return array(rows[row].fn(t.dtype == "bool" and t:astype "int64" or t, d or 0))
    end)
  end
  for name, row in pairs {cumsum = "cumsum", cumprod = "cumprod", argmax = "argmax", argmin = "argmin"} do
    along(name, row)
  end
  def("dot", "a, b", function(a, b)
    local x, y = of(a), of(b)
    if x.ndim > 2 or y.ndim > 2 then
      exc.fail("NotImplementedError", "numpy.dot of more than two dimensions: write a @ b, or np.einsum")
    end
    local list = alike(core.tuple({x, y}, 2))
    return array((x.ndim == 0 or y.ndim == 0) and rows.mul.fn(list[1], list[2]) or rows.matmul.fn(list[1], list[2]))
  end)
  def("outer", "a, b", function(a, b)
    local list = alike(core.tuple({of(a), of(b)}, 2))
    return array(rows.outer.fn(flat(list[1]), flat(list[2])))
  end)
  def("expand_dims", "a, axis", function(a, axis) return array(rows.unsqueeze.fn(of(a), to_lua(axis)), true) end)
  def("tril", "m, k?", function(a, k) return array(rows.tril.fn(of(a), given(k) or 0)) end)
  def("triu", "m, k?", function(a, k) return array(rows.triu.fn(of(a), given(k) or 0)) end)
  def("count_nonzero", "a", function(a) return array(rows.sum.fn(rows.ne.fn(of(a), 0))) end)
  for name, d in pairs {vstack = 0, hstack = 1} do
    def(name, "tup", function(l)
      local list = alike(l)
      for i, t in ipairs(list) do
        list[i] = name == "vstack" and t.ndim < 2 and t:reshape {1, t:numel()} or t.ndim == 0 and t:reshape {1} or t
      end
      return array(rows.cat.fn(list, list[1] and list[1].ndim == 1 and 0 or d))
    end)
  end
  def("linspace", "start, stop, num?, endpoint?", function(a, b, n, last)
    a, b, n = to_lua(a), to_lua(b), given(n) or 50
    if given(last) == false then
      b = a + (b - a) * (n - 1) / n
    end
    local list, step = {}, n > 1 and (b - a) / (n - 1) or 0.0
    for i = 0, n - 1 do
      list[i + 1] = i == n - 1 and n > 1 and b + 0.0 or a + i * step + 0.0
    end
    return array(n == 0 and tensor.new({0}, "float64") or tensor.from_table(list, "float64"), true)
  end)
end

return M
