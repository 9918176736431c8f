-- python/torch_more.lua: PyTorch's functions that are a few operators of tl.host each.
--
-- Each computes with operators that autograd follows, so that it has a derivative where PyTorch's has one.

local core = require "moontile.python.core"
local exc = require "moontile.python.exc"
local foreign = require "moontile.python.foreign"
local linalg = require "moontile.python.torch_linalg"
local native = require "moontile.python.native"
local registry = require "moontile.tl.host.registry"
local rows = registry.rows
local tensor = require "moontile.tensor"
local layout = require "moontile.python.torch_layout"
local overlap = require "moontile.python.torch_overlap"
local rules = require("moontile.tl.tensor").rules
local strict = require "moontile.python.torch_strict"
local torch_dtype = require "moontile.python.torch_dtype"
local types = require "moontile.base.types"

local M = {methods = {}}

local None, to_lua = core.None, foreign.to_lua

local functions, activations = {}, {}

-- An operator as a function of torch's or, where self is given, as a method of tensors too.
local function def(name, sig, fn, method)
  functions[name] = native.make("torch." .. name, sig, fn)
  if method then
    M.methods[name] = functions[name]
  end
end

-- The result of an operator, its first alone.
local function op(name, ...)
  return (rows[name].fn(...))
end

local function fail(text, ...)
  exc.fail("RuntimeError", text:format(...), "py_value")
end

local function floats(name, x)
  if not types.isfloat(x.dtype) then
    exc.fail("NotImplementedError", ("\"%s\" not %s for '%s'"):format(name, "implemented", x.dtype), "py_value")
  end
end

-- Shapes -----------------------------------------------------------------------

def("numel", "input", function(x) return x:numel() end)
def("positive", "input", function(x)
  if x.dtype == "bool" then
    fail "The `+` operator, on a bool tensor is not supported."
  end
  return x
end, true)
M.methods.is_signed = native.make("Tensor.is_signed", "self", function(x)
  return types.info(x.dtype).class ~= "U" and x.dtype ~= "bool"
end)

def("scalar_tensor", "s, *, dtype?, device?", function(v, _, dtype)
  return tensor.from_table(v, dtype and to_lua(dtype) or "float32")
end)

-- At least n dimensions.
local function at_least(n, x)
  if n == 3 then
    return x.ndim == 0 and x:reshape {1, 1, 1} or x.ndim == 1 and op("unsqueeze", op("unsqueeze", x, 0), -1)
      or x.ndim == 2 and op("unsqueeze", x, -1) or x
  end
  while x.ndim < n do
    x = op("unsqueeze", x, 0)
  end
  return x
end
for n = 1, 3 do
  def(("atleast_%dd"):format(n), "*", function(_, ...)
    local list = core.pack(...)
    if list.n == 1 and tensor.istensor(list[1]) then
      return at_least(n, list[1])
    end
    local given = list.n == 1 and list[1] or list
    local out = {}
    for i = 1, given.n do
      out[i] = at_least(n, given[i])
    end
    return core.tuple(out, given.n)
  end)
end

def("dstack", "tensors", function(list)
  local all = {}
  for i, x in ipairs(to_lua(list)) do
    all[i] = at_least(3, x)
  end
  return op("cat", all, 2)
end)
def("column_stack", "tensors", function(list)
  local all = {}
  for i, x in ipairs(to_lua(list)) do
    all[i] = x.ndim < 2 and op("reshape", x, {x:numel(), 1}) or x
  end
  return op("cat", all, 1)
end)

-- In parts: as many as equal as can be, or at the places named.
def("tensor_split", "input, indices_or_sections, dim?", function(x, parts, dim)
  local d = rules.axis_arg(x, dim and to_lua(dim) or 0)
  local n, out, from = x.shape[d + 1], {}, 0
  parts = to_lua(parts)
  if tensor.istensor(parts) then
    parts = parts:totable()
  end
  if math.type(parts) == "integer" then
    if parts < 1 then
      fail("number of sections must be larger than 0, got %d", parts)
    end
    local at, small, more = {}, n // parts, n % parts
    for i = 1, parts - 1 do
      at[i] = i * small + math.min(i, more)
    end
    parts = at
  end
  for i = 1, #parts + 1 do
    local to = parts[i] or n
    to = math.max(0, math.min(to < 0 and to + n or to, n))
    out[i] = op("narrow", x, d, math.min(from, n), math.max(0, to - from))
    from = to
  end
  return core.tuple(out, #out)
end, true)

def("block_diag", "*", function(_, ...)
  local list = core.pack(...)
  local r, c, dtype = 0, 0, nil
  local all = {}
  for i = 1, list.n do
    local x = at_least(2, list[i])
    if x.ndim > 2 then
      fail("torch.block_diag: Input tensors must have 2 or fewer dimensions. Input %d has %d dimensions", i - 1, x.ndim)
    end
    all[i], r, c = x, r + x.shape[1], c + x.shape[2]
    dtype = dtype and rules.promote(dtype, x.dtype) or x.dtype
  end
  local parts, left = {}, 0
  for i, x in ipairs(all) do
    local h, w = x.shape[1], x.shape[2]
    parts[i] = op("cat", {op("zeros", {h, left}, dtype), x:astype(dtype), op("zeros", {h, c - left - w}, dtype)}, 1)
    left = left + w
  end
  return op("cat", parts, 0)
end)

def("cartesian_prod", "*", function(_, ...)
  local list = core.pack(...)
  local all = {}
  for i = 1, list.n do
    if list[i].ndim ~= 1 then
      fail "Expect a 1D vector"
    end
    all[i] = list[i]
  end
  if #all == 1 then
    return all[1]
  end
  strict.check("meshgrid", all, {})
  local grid = rows.meshgrid.fn(all, "ij")
  for i, g in ipairs(grid) do
    grid[i] = op("reshape", g, {-1})
  end
  return op("stack", grid, 1)
end)

-- Runs of equal elements as one each.
def("unique_consecutive", "input, return_inverse?, return_counts?, dim?", function(x, inverse, counts, dim)
  if dim ~= nil and dim ~= None then
    exc.fail("NotImplementedError", "unique_consecutive has no dim here", "py_value")
  end
  local flat = op("reshape", x, {-1})
  local n = flat:numel()
  if n == 0 then
    local none = tensor.new({0}, "int64")
    return inverse == true and core.tuple({flat, none}, 2) or flat
  end
  local first = op("cat", {tensor.new({1}, "bool"):fill_(true),
    op("ne", op("narrow", flat, 0, 1, n - 1), op("narrow", flat, 0, 0, n - 1))}, 0)
  local out = {op("masked_select", flat, first)}
  if inverse == true then
    out[#out + 1] = op("reshape", op("sub", op("cumsum", first, 0), 1), x.shape)
  end
  if counts == true then
    local at = op("reshape", op("nonzero", first), {-1})
    out[#out + 1] = op("sub", op("cat", {op("narrow", at, 0, 1, at:numel() - 1), tensor.new({1}, "int64"):fill_(n)}, 0), at)
  end
  return #out == 1 and out[1] or core.tuple(out, #out)
end, true)

-- Products and distances ---------------------------------------------------------

def("trace", "input", function(x)
  if x.ndim ~= 2 then
    fail "trace: expected a matrix"
  end
  return op("sum", op("diagonal", x))
end, true)

def("inner", "input, other", function(x, y)
  if x.ndim == 0 or y.ndim == 0 then
    return op("mul", x, y)
  end
  strict.check("matmul", {x, y})
  return op("tensordot", x, y, {{x.ndim - 1}, {y.ndim - 1}})
end, true)

def("matrix_power", "input, n", function(x, n)
  n = to_lua(n)
  if n < 0 then
    x, n = linalg.inv(x), -n
  end
  local size, r = x.shape[#x.shape], nil
  if n == 0 then
    return op("expand", op("eye", size, size, x.dtype), x.shape):contiguous()
  end
  local square = x
  while n > 0 do
    if n % 2 == 1 then
      r = r and op("matmul", r, square) or square
    end
    n = n // 2
    square = n > 0 and op("matmul", square, square) or square
  end
  return r
end, true)

def("cdist", "x1, x2, p?, compute_mode?", function(x, y, p)
  floats("cdist", x)
  floats("cdist", y)
  local d = op("sub", op("unsqueeze", x, -2), op("unsqueeze", y, -3))
  return op("norm", d, p and to_lua(p) or 2.0, -1)
end)

-- Dtypes -------------------------------------------------------------------------

def("promote_types", "type1, type2", function(a, b) return torch_dtype.of(rules.promote(to_lua(a), to_lua(b))) end)
def("result_type", "tensor1, tensor2", function(a, b)
  return torch_dtype.of((registry.apply("result_type", {to_lua(a), to_lua(b)}, 2)))
end)
def("can_cast", "from_, to", function(a, b)
  local from, to = types.info(to_lua(a)), types.info(to_lua(b))
  return not (from.class == "F" and to.class ~= "F" or to_lua(b) == "bool" and to_lua(a) ~= "bool"
    or from.class == "I" and to.class == "U" and to_lua(b) ~= "bool" and to_lua(a) ~= "bool")
end)

-- Activations --------------------------------------------------------------------

-- torch.nn.functional.name(input, ..), which floats alone have
local function activation(name, sig, fn)
  local place, n = nil, 0 -- of inplace among its arguments
  for p in sig:gmatch "[%w_]+" do
    n = n + 1
    place = p == "inplace" and n or place
  end
  activations[name] = native.make(name, sig, function(x, ...)
    floats(name, x)
    local r = layout.of(name, (fn(x, ...)), {x})
    if place and (select(place - 1, ...)) == true then
      return overlap.keep(name, x, r)
    end
    return r
  end)
end

-- x between bounds; where it is at one, it has no derivative.
local function bounded(x, lo, hi)
  return op("where", op("le", x, lo), lo, op("where", op("ge", x, hi), hi, x))
end

activation("relu6", "input, inplace?", function(x) return bounded(x, 0, 6) end)
activation("hardtanh", "input, min_val?, max_val?, inplace?", function(x, lo, hi)
  return bounded(x, lo and to_lua(lo) or -1, hi and to_lua(hi) or 1)
end)
activation("hardswish", "input, inplace?", function(x)
  return op("div", op("mul", x, bounded(op("add", x, 3), 0, 6)), 6)
end)
activation("hardsigmoid", "input, inplace?", function(x) return op("div", bounded(op("add", x, 3), 0, 6), 6) end)
activation("softsign", "input", function(x) return op("div", x, op("add", op("abs", x), 1)) end)
activation("tanhshrink", "input", function(x) return op("sub", x, op("tanh", x)) end)
activation("selu", "input, inplace?", function(x)
  return op("mul", op("elu", x, 1.6732632423543772848170429916717), 1.0507009873554804934193349852946)
end)
activation("celu", "input, alpha?, inplace?", function(x, alpha)
  alpha = alpha and to_lua(alpha) or 1.0
  return op("mul", op("elu", op("div", x, alpha), 1.0), alpha)
end)
activation("threshold", "input, threshold, value, inplace?", function(x, t, v) return op("where", op("le", x, to_lua(t)), to_lua(v), x) end)

local function reduced(r, reduction)
  reduction = reduction ~= nil and reduction ~= None and reduction or "mean"
  if reduction == "none" then
    return r
  elseif reduction ~= "mean" and reduction ~= "sum" then
    exc.fail("ValueError", reduction .. " is not a valid value for reduction")
  end
  return op(reduction, r)
end

activation("huber_loss", "input, target, reduction?, delta?", function(x, y, reduction, delta)
  delta = delta and to_lua(delta) or 1.0
  local d = op("abs", op("sub", x, y))
  local near = op("mul", op("mul", d, d), 0.5)
  return reduced(op("where", op("le", d, delta), near, op("mul", op("sub", d, 0.5 * delta), delta)), reduction)
end)

-- Logarithms are at least -100, as PyTorch has them.
activation("binary_cross_entropy", "input, target, weight?, size_average?, reduce?, reduction?", function(x, y, weight, _, _, reduction)
  if x.dtype ~= y.dtype then
    fail("Found dtype %s but expected %s", y.dtype, x.dtype)
  end
  local function logarithm(v) return op("clamp", op("log", v), -100) end
  local one = op("sub", 1, y)
  local r = op("neg", op("add", op("mul", y, logarithm(x)), op("mul", one, logarithm(op("sub", 1, x)))))
  return reduced(weight and weight ~= None and op("mul", r, weight) or r, reduction)
end)

activation("pairwise_distance", "x1, x2, p?, eps?, keepdim?", function(x, y, p, eps, keepdim)
  local d = op("add", op("sub", x, y), eps and to_lua(eps) or 1e-6)
  return op("norm", d, p and to_lua(p) or 2.0, -1, keepdim == true)
end)

-- The functions into the module torch and into torch.nn.functional.
function M.fill(t)
  for name, f in pairs(functions) do
    t[name] = f
  end
  for name, f in pairs(activations) do
    t.nn.functional[name] = f
  end
end

return M
