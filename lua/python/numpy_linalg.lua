-- python/numpy_linalg.lua: numpy.linalg: what torch.linalg computes, with NumPy's dtypes, checks and exceptions.

local core = require "moontile.python.core"
local exc = require "moontile.python.exc"
local foreign = require "moontile.python.foreign"
local linalg = require "moontile.python.torch_linalg"
local native = require "moontile.python.native"
local rows = require("moontile.tl.host.registry").rows

local M = {}

local None, array = core.None, foreign.array

local Wrong = core.new_class("LinAlgError", {exc.classes.ValueError})
Wrong.module = "numpy.linalg"
Wrong.construct = function(...) return exc.make(Wrong, ...) end

local function wrong(text, ...) exc.throw(exc.make(Wrong, text:format(...))) end

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
    return array(r)
  elseif getmetatable(r) == linalg.Wrong.meta then
    wrong(text)
  end
  error(r, 0)
end

-- Of vectors, along axes; of all elements where no order is named.
local function norm(t, ord, axis, keep)
  t = rows.abs.fn(floats(t))
  if ord ~= nil and ord ~= "fro" and (axis == nil and t.ndim ~= 1 or type(axis) == "table") then
    exc.fail("NotImplementedError", "numpy.linalg.norm has no matrix norms but 'fro' here")
  end
  if ord == math.huge or ord == -math.huge then
    return array((rows[ord > 0 and "amax" or "amin"].fn(t, axis, keep)))
  elseif ord == nil or ord == 2 or ord == "fro" then
    return array(rows.sqrt.fn((rows.sum.fn(rows.mul.fn(t, t), axis, keep))))
  elseif math.type(ord) == nil or ord <= 0 then
    exc.fail("NotImplementedError", ("numpy.linalg.norm has no order %s here"):format(tostring(ord)))
  end
  return array(rows.pow.fn((rows.sum.fn(rows.pow.fn(t, ord), axis, keep)), 1 / ord))
end

-- of: makes a tensor of what NumPy takes.
function M.module(P, of)
  local l = {LinAlgError = Wrong}
  local function def(name, spec, f) l[name] = native.make("numpy.linalg." .. name, spec, f) end
  local function given(v)
    if v ~= nil and v ~= None then return foreign.to_lua(v) end
  end
  def("inv", "a", function(a) return computed("Singular matrix", linalg.inv, square(of(a))) end)
  def("det", "a", function(a) return array(linalg.det(square(of(a)))) end)
  def("cholesky", "a", function(a) return computed("Matrix is not positive definite", linalg.cholesky, square(of(a))) end)
  def("solve", "a, b", function(a, b)
    a, b = square(of(a)), floats(of(b))
    local wide = (a.dtype == "float64" or b.dtype == "float64") and "float64" or a.dtype
    return computed("Singular matrix", linalg.solve, a:astype(wide), b:astype(wide))
  end)
  def("norm", "x, ord?, axis?, keepdims?", function(x, ord, axis, keep) return norm(of(x), given(ord), given(axis), keep == true) end)
  return P.imports.module("numpy.linalg", l)
end

return M
