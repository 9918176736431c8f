-- python/numpy.lua: `import numpy`: the part of it that programs with tensors use.  An array is a tensor of tl's, to
-- which PyTorch's rules of dtypes apply; its elements are numbers, which tensors' are not.

local axes = require "moontile.python.numpy_axes"
local core = require "moontile.python.core"
local device = require "moontile.tl.device"
local exc = require "moontile.python.exc"
local foreign = require "moontile.python.foreign"
local native = require "moontile.python.native"
local registry = require "moontile.tl.host.registry"
local scalar = require "moontile.python.numpy_scalar"
require "moontile.tl.host"
require "moontile.tl.testing"
local tensor = require "moontile.tensor"
local tensors = require "moontile.tl.tensor"
local tl = require "moontile.tl"

local M = {}

local None, rows, to_lua = core.None, registry.rows, foreign.to_lua

-- Python's types as dtypes.
local of_type = {[core.types.float] = "float64", [core.types.int] = "int64", [core.types.bool] = "bool"}

local function given(v)
  if v ~= nil and v ~= None then return of_type[v] or to_lua(v) end
end

-- Arrays ---------------------------------------------------------------------------

local array = foreign.array

local function isfloat(t) return t.dtype:find "float" ~= nil end

-- What NumPy makes of a value: floats are float64, where no dtype is given.
local function of(v, dtype)
  dtype = given(dtype)
  local t
  if scalar.dtype(v) and core.kind(v) ~= nil then
    v = scalar.array(v)
  end
  if tensor.istensor(v) then
    t = dtype and v:astype(dtype) or v
  else
    local list, kind = to_lua(v), core.kind(v)
    dtype = dtype or (kind == "list" or kind == "tuple") and scalar.of_list(v) or nil
    t = tensor.from_table(list)
    t = tensor.from_table(list, dtype or isfloat(t) and "float64" or t.dtype)
  end
  return array(t, true)
end

-- The same as float64 where it holds whole numbers, as NumPy computes means and logarithms.
local function float_of(v)
  local t = of(v)
  return isfloat(t) and t or array(t:astype "float64", true)
end

-- Two operands with the dtype that NumPy's rules have for them; a Python number has none of its own.
local function meet(a, b)
  local function operand(v)
    return core.kind(v) ~= nil and scalar.dtype(v) and scalar.array(v) or math.type(v) and v or of(v)
  end
  a, b = core.late.array_operands("", operand(a), operand(b))
  return of(a), of(b)
end

-- Arrays with the dtype that fits all of them.
local function alike(l)
  local list, d = to_lua(l), nil
  for i, v in ipairs(list) do
    list[i] = of(v)
    d = d and scalar.result(d, list[i].dtype) or list[i].dtype
  end
  for i, t in ipairs(list) do
    list[i] = t.dtype == d and t or t:astype(d)
  end
  return list
end

local function shape(v)
  local s = to_lua(v)
  return type(s) == "table" and s or {s}
end

-- x.astype(float)
foreign.array_methods.astype = native.make("ndarray.astype", "self, dtype, order?, casting?, subok?, copy?", function(t, dtype, _, _, _, copy)
  local r = t:astype(given(dtype))
  return array(r == t and copy ~= false and t:copy() or r, true)
end)

-- Functions ------------------------------------------------------------------------

-- of one array, element by element: name -> row, whether of floats only
local by_element = {abs = {"abs"}, absolute = {"abs"}, exp = {"exp", true}, exp2 = {"exp2", true}, log = {"log", true},
  log2 = {"log2", true}, log10 = {"log10", true}, log1p = {"log1p", true}, sqrt = {"sqrt", true}, sin = {"sin", true},
  cos = {"cos", true}, tanh = {"tanh", true}, floor = {"floor"}, ceil = {"ceil"}, sign = {"sign"}, square = {"square"},
  isnan = {"isnan"}, isinf = {"isinf"}, isfinite = {"isfinite"}}

-- along axes or of all
local by_axis = {sum = {"sum"}, mean = {"mean", true}, prod = {"prod"}, max = {"amax"}, min = {"amin"}, amax = {"amax"},
  amin = {"amin"}, any = {"any"}, all = {"all"}}

local function reduction(name, row, wide)
  return native.make("numpy." .. name, "a, axis?, dtype?, out?, keepdims?", function(a, axis, dtype, _, keep)
    local t = wide and float_of(a) or of(a)
    if given(dtype) then t = t:astype(given(dtype)) end
    return array((rows[row].fn(t, given(axis) and to_lua(axis), keep == true)))
  end)
end

-- The middle of sorted values, the mean of two where their number is even.
local function median(a, axis)
  local t = float_of(a)
  if not given(axis) then
    t, axis = t:reshape {t:numel()}, 0
  end
  local n = t.shape[axis < 0 and t.ndim + axis + 1 or axis + 1]
  local sorted = rows.sort.fn(t, axis)
  local function at(i) return rows.select.fn(sorted, axis, i) end
  if n % 2 == 1 then return array(at(n // 2)) end
  return array(rows.mul.fn(rows.add.fn(at(n // 2 - 1), at(n // 2)), 0.5))
end

-- Of all the values, without Bessel's correction.
local function variance(root)
  return function(a, axis, ddof)
    local t = float_of(a)
    local d = given(axis) and to_lua(axis) or nil
    local mean = rows.mean.fn(t, d, true)
    local sum = rows.sum.fn(rows.square.fn(rows.sub.fn(t, mean)), d, false)
    local r = rows.div.fn(sum, t:numel() // math.max(1, sum:numel()) - (given(ddof) or 0))
    return array(root and rows.sqrt.fn(r) or r)
  end
end

local function unravel(i, s)
  local list, at = {}, to_lua(i)
  at = tensor.istensor(at) and at:item() or at
  s = shape(s)
  for d = #s, 1, -1 do
    list[d], at = at % s[d], at // s[d]
  end
  if at ~= 0 then exc.fail("ValueError", "index is out of bounds for array with this shape") end
  return core.tuple(list, #s)
end

local two = {maximum = "maximum", minimum = "minimum", power = "pow", add = "add", subtract = "sub", multiply = "mul",
  matmul = "matmul", logical_and = "logical_and", logical_or = "logical_or"}

local function functions(P)
  local np = {}
  local function def(name, spec, f) np[name] = native.make("numpy." .. name, spec, f) end
  for name, d in pairs(by_element) do
    def(name, "x", function(x) return array(rows[d[1]].fn(d[2] and float_of(x) or of(x))) end)
  end
  for name, d in pairs(by_axis) do np[name] = reduction(name, d[1], d[2]) end
  for name, row in pairs(two) do
    def(name, "x1, x2", function(a, b) return array(rows[row].fn(meet(a, b))) end)
  end
  for _, name in ipairs {"array", "asarray", "ascontiguousarray"} do
    def(name, "object, dtype?", function(v, dtype)
      local t = of(v, dtype)
      return array(name == "array" and t:copy() or t:contiguous(), true)
    end)
  end
  for name, value in pairs {zeros = 0, ones = 1, empty = 0} do
    def(name, "shape, dtype?", function(s, d)
      return array(tensor.new(shape(s), given(d) or "float64"):fill_(value), true)
    end)
    def(name .. "_like", "a, dtype?", function(a, d)
      local t = of(a)
      return array(tensor.new(t.shape, given(d) or t.dtype):fill_(value), true)
    end)
  end
  def("full", "shape, fill_value, dtype?", function(s, v, d)
    return array(tensor.new(shape(s), given(d) or of(v).dtype):fill_(to_lua(v)), true)
  end)
  def("arange", "start, stop?, step?, dtype?", function(a, b, s, d)
    a, b = to_lua(a), given(b)
    if not b then a, b = 0, a end
    local t = tensor.arange(a, b, given(s) or 1, given(d) or (math.type(a) == "integer" and math.type(b) == "integer"
      and math.type(given(s) or 1) == "integer") and "int64" or "float64")
    return array(t)
  end)
  local function eye(n, dtype)
    local t = tensor.arange(0, n, 1, "int64")
    return array(rows.eq.fn(rows.unsqueeze.fn(t, 1), t):astype(given(dtype) or "float64"))
  end
  def("eye", "N, *, dtype?", eye)
  def("identity", "n, dtype?", eye)
  def("concatenate", "arrays, axis?", function(l, axis)
    return array(rows.cat.fn(alike(l), given(axis) or 0))
  end)
  def("stack", "arrays, axis?", function(l, axis)
    return array(rows.stack.fn(alike(l), given(axis) or 0))
  end)
  def("where", "condition, x, y", function(c, x, y) return array(rows.where.fn(of(c), meet(x, y))) end)
  def("clip", "a, a_min, a_max", function(a, lo, hi) return array(rows.clamp.fn(of(a), given(lo), given(hi))) end)
  def("reshape", "a, newshape", function(a, s) return array(rows.reshape.fn(of(a), shape(s)), true) end)
  def("median", "a, axis?", median)
  def("std", "a, axis?, ddof?", variance(true))
  def("var", "a, axis?, ddof?", variance(false))
  def("unravel_index", "indices, shape", unravel)
  def("allclose", "a, b, rtol?, atol?, equal_nan?", function(a, b, rtol, atol, nan)
    return rows.allclose.fn(of(a), of(b), rtol, atol, nan)
  end)
  def("array_equal", "a1, a2", function(a, b) return rows.equal.fn(of(a), of(b)) end)
  np.inf, np.nan, np.pi, np.e, np.newaxis = math.huge, core.nan, math.pi, math.exp(1), None
  for name in ("float64 float32 float16 int64 int32 int16 int8 uint64 uint32 uint16 uint8"):gmatch "%S+" do
    np[name] = scalar.classes[name]
  end
  for name in ("generic number integer signedinteger unsignedinteger inexact floating"):gmatch "%S+" do
    np[name] = scalar[name]
  end
  np.single, np.double, np.half, np.int_, np.intc = np.float32, np.float64, np.float16, np.int64, np.int32
  np.bool_, np.intp = "bool", "int64"
  axes.into(np, of)
  require("moontile.python.numpy_more").into(np, of, alike)
  np.AxisError = axes.Error
  np.ndarray = P.import_as "torch".Tensor
  np.__version__ = "2.2.6" -- numbers know their dtypes, as NumPy 2 has it
  return np
end

-- Random numbers: those of tl, with seeds of their own kind.
local function random(P)
  local r = {}
  r.seed = native.make("seed", "seed?", function(n)
    tl.manual_seed(given(n) or os.time())
    return None
  end)
  for _, name in ipairs {"rand", "randn"} do
    r[name] = native.make(name, "**", function(_, ...)
      return array(tl[name](to_lua(core.pack(...)), "float64"))
    end)
  end
  r.randint = native.make("randint", "low, high?, size?, dtype?", function(lo, hi, size, dtype)
    lo, hi = given(lo), given(hi)
    if not hi then lo, hi = 0, lo end
    return array(tl.randint(lo, hi, given(size) and shape(size) or {}, given(dtype) or "int64"))
  end)
  r.uniform = native.make("uniform", "low?, high?, size?", function(lo, hi, size)
    return array(tensor.rand(given(size) and shape(size) or {}, "float64", given(lo) or 0.0, given(hi) or 1.0))
  end)
  r.normal = native.make("normal", "loc?, scale?, size?", function(mean, sd, size)
    return array(tensor.randn(given(size) and shape(size) or {}, "float64", given(mean) or 0.0, given(sd) or 1.0))
  end)
  return P.imports.module("numpy.random", r)
end

local function testing(P)
  local function close(a, b, rtol, atol)
    a, b = of(a):astype "float64", of(b):astype "float64"
    if a.ndim == 0 then a = a:expand(b.shape) elseif b.ndim == 0 then b = b:expand(a.shape) end
    if not device.emit and tensors.rules.shape_text(a) == tensors.rules.shape_text(b) then
      a, b = tensors.rules.without_shared_nan(a, b)
    end
    tl.testing.assert_close(a, b, {rtol = rtol, atol = atol})
    return None
  end
  return P.imports.module("numpy.testing", {
    assert_allclose = native.make("assert_allclose", "actual, desired, rtol?, atol?", function(a, b, rtol, atol)
      return close(a, b, rtol or 1e-7, atol or 0)
    end),
    assert_array_equal = native.make("assert_array_equal", "actual, desired", function(a, b) return close(a, b, 0, 0) end),
    assert_equal = native.make("assert_equal", "actual, desired", function(a, b) return close(a, b, 0, 0) end),
  })
end

function M.install(P)
  local loaders = P.imports.loaders
  loaders["numpy.random"], loaders["numpy.testing"] = random, testing
  loaders["numpy.linalg"] = function() return require("moontile.python.numpy_linalg").module(P, of) end
  loaders["numpy.exceptions"] = function() return P.imports.module("numpy.exceptions", {AxisError = axes.Error}) end
  function loaders.numpy()
    return P.imports.module("numpy", functions(P))
  end
end

return M
