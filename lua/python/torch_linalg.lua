-- python/torch_linalg.lua: torch.linalg's inv, det, solve and cholesky, of matrices of a size that a program compares with:
-- plain loops in float64, rounded once.  They have no derivative here, and say so.

local autograd = require "moontile.tl.host.autograd"
local core = require "moontile.python.core"
local exc = require "moontile.python.exc"
local native = require "moontile.python.native"
local rows = require("moontile.tl.host.registry").rows
local rules = require("moontile.tl.tensor").rules
local tensor = require "moontile.tensor"
local types = require "moontile.base.types"

local M = {}

local scalar = {float16 = "Half", bfloat16 = "BFloat16", int64 = "Long", int32 = "Int", int16 = "Short", int8 = "Char", uint8 = "Byte", bool = "Bool"}

local function fail(text, ...)
  exc.fail("RuntimeError", text:format(...), "py_value")
end

-- torch.linalg.LinAlgError: what cannot be inverted or taken apart.
M.Wrong = exc.define("torch._C", "_LinAlgError", "RuntimeError")

local function wrong(text, ...) exc.throw(exc.make(M.Wrong, text:format(...))) end

local function check(name, x, which)
  if not tensor.istensor(x) then
    exc.fail("TypeError", ("%s(): argument '%s' must be Tensor, not %s"):format(name:gsub("%.", "_"), which, core.typename(x)), "py_value")
  elseif not types.isfloat(x.dtype) then
    fail("%s: Expected a floating point or complex tensor as input. Got %s", name, scalar[x.dtype] or x.dtype)
  elseif x.dtype ~= "float32" and x.dtype ~= "float64" then
    fail("%s: Low precision dtypes not supported. Got %s", name, scalar[x.dtype] or x.dtype)
  elseif autograd.enabled() and autograd.needs(x) then
    exc.fail("NotImplementedError", ("%s has no derivative here: use it under torch.no_grad(), or of x.detach()"):format(name), "py_value", name)
  end
end

local function square(name, x)
  check(name, x, "A")
  local d = x.ndim
  if d < 2 then
    fail("%s: The input tensor A must have at least 2 dimensions.", name)
  elseif x.shape[d] ~= x.shape[d - 1] then
    fail("%s: A must be batches of square matrices, but they are %d by %d matrices", name, x.shape[d - 1], x.shape[d])
  end
  return x.shape[d]
end

-- The matrices of x, each a list of rows of numbers.
local function matrices(x, r, c)
  if x:numel() == 0 then
    return {}
  end
  return rows.reshape.fn(x:astype "float64", {-1, r, c}):totable()
end

local function result(list, shape, dtype)
  if #list == 0 then
    return (tensor.new(shape, dtype))
  end
  return rows.reshape.fn(tensor.from_table(list, "float64"), shape):astype(dtype)
end

-- Gauss's elimination of a, with the greatest pivots, on the columns of b too: -> determinant, the first pivot that is 0 or nil.
-- At the end b is a's solution.
local function eliminate(a, b, n)
  local det = 1.0
  for k = 1, n do
    local best = k
    for i = k + 1, n do
      best = math.abs(a[i][k]) > math.abs(a[best][k]) and i or best
    end
    if best ~= k then
      a[k], a[best], det = a[best], a[k], -det
      if b then
        b[k], b[best] = b[best], b[k]
      end
    end
    local pivot = a[k][k]
    det = det * pivot
    if pivot == 0 then
      return 0.0, k
    end
    for i = b and 1 or k + 1, n do
      local f = i ~= k and a[i][k] / pivot or 0
      if f ~= 0 then
        for j = k, n do
          a[i][j] = a[i][j] - f * a[k][j]
        end
        for j = 1, b and #b[i] or 0 do
          b[i][j] = b[i][j] - f * b[k][j]
        end
      end
    end
  end
  for i = 1, b and n or 0 do
    for j = 1, #b[i] do
      b[i][j] = b[i][j] / a[i][i]
    end
  end
  return det
end

local function identity(n)
  local m = {}
  for i = 1, n do
    m[i] = {}
    for j = 1, n do
      m[i][j] = i == j and 1.0 or 0.0
    end
  end
  return m
end

-- "(Batch element 2): ", where there are batches
local function element(x, i)
  return x.ndim > 2 and ("(Batch element %d): "):format(i - 1) or ""
end

function M.inv(x)
  local n, list = square("linalg.inv", x), {}
  for i, a in ipairs(matrices(x, n, n)) do
    list[i] = identity(n)
    local _, zero = eliminate(a, list[i], n)
    if zero then
      wrong("linalg.inv: %sThe diagonal element %d is zero, the inversion could not be completed because the input matrix is singular.",
        element(x, i), zero)
    end
  end
  return result(list, x.shape, x.dtype)
end

function M.det(x)
  local n, list = square("linalg.det", x), {}
  for i, a in ipairs(matrices(x, n, n)) do
    list[i] = eliminate(a, nil, n)
  end
  if n == 0 then
    exc.fail("NotImplementedError", "linalg.det of matrices without elements is not available here", "py_value")
  end
  return result(list, table.move(x.shape, 1, x.ndim - 2, 1, {}), x.dtype)
end

function M.cholesky(x, upper)
  local n, list = square("linalg.cholesky", x), {}
  for at, a in ipairs(matrices(x, n, n)) do
    local l = identity(n)
    for i = 1, n do
      for j = 1, i do
        local s = upper and a[j][i] or a[i][j]
        for k = 1, j - 1 do
          s = s - l[i][k] * l[j][k]
        end
        if i == j and (s ~= s or s <= 0) then
          wrong("linalg.cholesky: %sThe factorization could not be completed because the input is not positive-definite (the leading minor of \z
            order %d is not positive-definite).", element(x, at), i)
        end
        l[i][j] = i == j and math.sqrt(s) or s / l[j][j]
      end
    end
    list[at] = l
  end
  local r = result(list, x.shape, x.dtype)
  return upper and rows.transpose.fn(r, -2, -1) or r
end

-- PyTorch's rule for what is a vector: one dimension, or the batches of a with one more.
local function is_vector(a, b)
  if b.ndim == 1 then
    return true
  elseif b.ndim ~= a.ndim - 1 then
    return false
  end
  for i = 1, b.ndim do
    if a.shape[i] ~= b.shape[i] then
      return false
    end
  end
  return true
end

-- The dimensions in front of the last two, of both.
local function batches(a, b)
  local out, m, n = {}, a.ndim - 2, b.ndim - 2
  for i = 1, math.max(m, n) do
    local p, q = a.shape[m - math.max(m, n) + i] or 1, b.shape[n - math.max(m, n) + i] or 1
    if p ~= q and p ~= 1 and q ~= 1 then
      fail("The batch dimensions of A and B are incompatible: %s and %s", rules.shape_text(a), rules.shape_text(b))
    end
    out[i] = p == 1 and q or p
  end
  return out
end

function M.solve(a, b, left)
  local n = square("linalg.solve", a)
  check("linalg.solve", b, "B")
  if left == false then
    exc.fail("NotImplementedError", "linalg.solve has no left=False here", "py_value", "left")
  elseif a.dtype ~= b.dtype then
    fail("linalg.solve: Expected A and B to have the same dtype, but found A of type %s and B of type %s instead", a.dtype, b.dtype)
  end
  local vector = is_vector(a, b)
  local m = vector and rows.unsqueeze.fn(b, -1) or b
  if m.shape[m.ndim - 1] ~= n then
    fail("linalg.solve: Incompatible shapes of A and B for the equation AX = B (%dx%d and %dx%d)", n, n, m.shape[m.ndim - 1], m.shape[m.ndim])
  end
  local lead, c = batches(a, m), m.shape[m.ndim]
  local function whole(x, r, k)
    local shape = table.move(lead, 1, #lead, 1, {})
    shape[#shape + 1], shape[#shape + 2] = r, k
    return rows.expand.fn(x, shape), shape
  end
  local right, shape = whole(m, n, c)
  local list = matrices(right, n, c)
  for i, one in ipairs(matrices(whole(a, n, n), n, n)) do
    local _, zero = eliminate(one, list[i] or {}, n)
    if zero then
      wrong("torch.linalg.solve: %sThe solver failed because the input matrix is singular.",
        #lead > 0 and ("(Batch element %d): "):format(i - 1) or "")
    end
  end
  local r = result(list, shape, a.dtype)
  return vector and rows.squeeze.fn(r, -1) or r
end

-- Into torch.linalg and, by their older names, into torch.
function M.fill(t)
  local l = t.linalg
  l.LinAlgError = M.Wrong
  l.inv = native.make("torch.linalg.inv", "A", M.inv)
  l.det = native.make("torch.linalg.det", "A", M.det)
  l.solve = native.make("torch.linalg.solve", "A, B, *, left?", M.solve)
  l.cholesky = native.make("torch.linalg.cholesky", "A, *, upper?", function(a, upper) return M.cholesky(a, upper == true) end)
  t.inverse, t.det = native.make("torch.inverse", "input", M.inv), native.make("torch.det", "input", M.det)
end

return M
