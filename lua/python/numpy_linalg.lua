-- python/numpy_linalg.lua: numpy.linalg: what torch.linalg computes, with NumPy's dtypes, checks and exceptions.

local core = require "moontile.python.core"
local exc = require "moontile.python.exc"
local foreign = require "moontile.python.foreign"
local linalg = require "moontile.python.torch_linalg"
local native = require "moontile.python.native"
local rows = require("moontile.tl.host.registry").rows

local M = {}

local None, array = core.None, foreign.array

local Wrong = exc.define("numpy.linalg", "LinAlgError", "ValueError")

local function wrong(text, ...) exc.throw(exc.make(Wrong, text:format(...))) end
local function value(text, ...) exc.fail("ValueError", text:format(...)) end

-- What is computed with: integers as float64.
local function floats(t)
  if t.dtype == "float16" or t.dtype == "bfloat16" then
    exc.fail("TypeError", ("array type %s is unsupported in linalg"):format(t.dtype))
  end
  return t.dtype:find "float" and t or t:astype "float64"
end

local function square(t)
  if t.ndim < 2 then
    wrong("%d-dimensional array given. Array must be at least two-dimensional", t.ndim)
  elseif t.shape[t.ndim] ~= t.shape[t.ndim - 1] then
    wrong "Last 2 dimensions of the array must be square"
  end
  return floats(t)
end

-- torch.linalg's f; what it cannot invert or take apart is `text`.
local function computed(text, f, ...)
  local ok, r = pcall(f, ...)
  if ok then
    return r
  elseif getmetatable(r) == linalg.Wrong.meta then
    wrong(text)
  end
  error(r, 0)
end

-- Of all vectors along an axis.
local function vector_norm(t, ord, axis, keep)
  if ord == math.huge or ord == -math.huge then
    return (rows[ord > 0 and "amax" or "amin"].fn(t, axis, keep))
  elseif ord == nil or ord == 2 then
    return rows.sqrt.fn((rows.sum.fn(rows.mul.fn(t, t), axis, keep)))
  elseif ord == 0 then
    return (rows.sum.fn(rows.ne.fn(t, 0):astype(t.dtype), axis, keep))
  elseif math.type(ord) == nil then
    value("Invalid norm order '%s' for vectors", tostring(ord))
  end
  return rows.pow.fn((rows.sum.fn(rows.pow.fn(t, ord), axis, keep)), 1 / ord)
end

-- Of all matrices whose rows and columns are these axes: sums of one, the largest or least of the other.
local function matrix_norm(t, ord, row, col, keep)
  local r
  if row == col then
    value "Duplicate axes given."
  elseif ord == nil or ord == "fro" or ord == "f" then
    r = rows.sqrt.fn((rows.sum.fn(rows.mul.fn(t, t), {row, col}, true)))
  elseif ord == 2 or ord == -2 or ord == "nuc" then
    exc.fail("NotImplementedError", ("numpy.linalg.norm has no singular values here: order %s of a matrix"):format(tostring(ord)))
  elseif ord == 1 or ord == -1 or ord == math.huge or ord == -math.huge then
    local of, over = row, col
    if ord == math.huge or ord == -math.huge then of, over = col, row end
    r = rows[ord > 0 and "amax" or "amin"].fn((rows.sum.fn(t, of, true)), over, true)
  else
    value "Invalid norm order for matrices."
  end
  if keep then return r end
  return rows.squeeze.fn(r, {row, col})
end

-- Without an order, of all elements; else of a vector, or of a matrix.
local function norm(t, ord, axis, keep)
  t = rows.abs.fn(floats(t))
  local axes = type(axis) == "table" and axis or axis and {axis} or {}
  if axis == nil and ord == nil then
    for i = 1, t.ndim do axes[i] = i - 1 end
    return array(rows.sqrt.fn((rows.sum.fn(rows.mul.fn(t, t), axes, keep))))
  end
  for i = 1, axis == nil and t.ndim or #axes do
    local d = axis == nil and i - 1 or axes[i]
    if math.type(d) ~= "integer" then
      exc.fail("TypeError", "'axis' must be None, an integer or a tuple of integers")
    elseif d < -t.ndim or d >= t.ndim then
      value("axis %d is out of bounds for array of dimension %d", d, t.ndim)
    end
    axes[i] = d % t.ndim
  end
  if #axes == 1 then return array(vector_norm(t, ord, axes[1], keep)) end
  if #axes == 2 then return array(matrix_norm(t, ord, axes[1], axes[2], keep)) end
  value "Improper number of dimensions to norm."
end

-- NumPy's rule for what is a vector: one dimension.  torch.linalg's asks for the batches of a as well: b gets as many
-- dimensions as a, so that it is none there.
local function solve(a, b)
  a, b = square(a), floats(b)
  local vector, n, m = b.ndim == 1, a.shape[a.ndim], b.shape[math.max(1, b.ndim - 1)]
  if b.ndim == 0 then
    wrong("%d-dimensional array given. Array must be at least two-dimensional", b.ndim)
  elseif n ~= m then
    value("solve%s: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature %s \z
      (size %d is different from %d)", vector and "1" or "", vector and "(m,m),(m)->(m)" or "(m,m),(m,n)->(m,n)", m, n)
  end
  local wide = (a.dtype == "float64" or b.dtype == "float64") and "float64" or a.dtype
  b = vector and rows.unsqueeze.fn(b, -1) or b
  while b.ndim < a.ndim do b = rows.unsqueeze.fn(b, 0) end
  local x = computed("Singular matrix", linalg.solve, a:astype(wide), b:astype(wide))
  return vector and rows.squeeze.fn(x, -1) or x
end

-- of: makes a tensor of what NumPy takes.
function M.module(P, of)
  local l = {LinAlgError = Wrong}
  local function def(name, spec, f) l[name] = native.make("numpy.linalg." .. name, spec, f) end
  local function given(v)
    if v ~= nil and v ~= None then return foreign.to_lua(v) end
  end
  def("inv", "a", function(a) return array(computed("Singular matrix", linalg.inv, square(of(a)))) end)
  def("det", "a", function(a) return array(linalg.det(square(of(a)))) end)
  def("cholesky", "a", function(a)
    return array(computed("Matrix is not positive definite", linalg.cholesky, square(of(a))))
  end)
  def("solve", "a, b", function(a, b) return array(solve(of(a), of(b))) end)
  def("norm", "x, ord?, axis?, keepdims?", function(x, ord, axis, keep) return norm(of(x), given(ord), given(axis), keep == true) end)
  return P.imports.module("numpy.linalg", l)
end

return M
