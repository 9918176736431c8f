-- tl/host/compare.lua: are two tensors equal, or nearly: torch.testing's rules.

local describe = require "moontile.base.describe"
local diag = require "moontile.diag"
local rt = require "moontile.tl.host.promote"
local rules = require("moontile.tl.tensor").rules
local tensor = require "moontile.tensor"
local registry = require "moontile.tl.host.registry"
local def, rows = registry.def, registry.rows

-- In a dry run comparisons hold of what is not computed.
local function unseen(x, y)
  return tensor.unseen(x) or tensor.istensor(y) and tensor.unseen(y)
end

def {
  name = "isclose", sig = "isclose(input, other, rtol=1e-05, atol=1e-08, equal_nan=False)",
  method = true,
  types = {rtol = "number", atol = "number", equal_nan = "bool"},
  en = "whether |x - y| <= atol + rtol |y|, for each element; equal infinities are, NaN only with equal_nan",
  zh = "逐元素：是否 |x - y| <= atol + rtol |y|；相等的无穷为真，NaN 仅在 equal_nan 时为真",
  ex = "print(tl.host.isclose(x, x))",
  fn = function(x, y, rtol, atol, equal_nan)
    y = rt.operand(y, rt.result_type(x, y), true)
    return rt.elem("isclose", "bool", rtol or 1e-5, equal_nan and 1 or 0, atol or 1e-8, x, y)
  end,
}
def {
  name = "allclose", sig = "allclose(input, other, rtol=1e-05, atol=1e-08, equal_nan=False)",
  types = {rtol = "number", atol = "number", equal_nan = "bool"},
  en = "whether isclose holds everywhere", zh = "是否处处 isclose",
  ex = "print(tl.host.allclose(x, x))",
  fn = function(x, y, ...) return unseen(x, y) or rows.isclose.fn(x, y, ...):all() end,
}
def {
  name = "equal", sig = "equal(input, other)", types = {other = "tensor"},
  en = "whether shapes and all elements agree", zh = "形状与所有元素是否相同",
  ex = "print(tl.host.equal(x, x))",
  fn = function(x, y)
    return rules.shape_text(x) == rules.shape_text(y) and (unseen(x, y) or rows.eq.fn(x, y):all())
  end,
}

-- rtol and atol by dtype, as torch.testing has them; integers and bool exactly.
local tolerance = {
  float16 = {1e-3, 1e-5}, bfloat16 = {1.6e-2, 1e-5}, float32 = {1.3e-6, 1e-5}, float64 = {1e-7,
    1e-7},
  tfloat32 = {1.3e-6, 1e-5},
}

local function tolerances(x, y, rtol, atol)
  local a, b = tolerance[x.dtype] or {0, 0}, tolerance[y.dtype] or {0, 0}
  return rtol or math.max(a[1], b[1]), atol or math.max(a[2], b[2])
end

local function operand(v, name)
  if tensor.istensor(v) then return v end
  if type(v) ~= "table" and type(v) ~= "number" and type(v) ~= "boolean" then
    rt.wrong("tl.host.assert_close", name, "a tensor", describe(v))
  end
  return tensor.from_table(v)
end

-- As Python writes it.
local function number_text(v)
  if v ~= v then return "nan" end
  local s
  local digits = 0
  repeat
    digits = digits + 1
    s = ("%." .. digits .. "g"):format(v)
  until tonumber(s) == v or digits == 17
  return math.type(v) == "float" and s:find "^-?%d+$" and s .. ".0" or s
end

-- The greatest element of t [n], a NaN before all others, and its place in a tensor of that shape.
local function greatest(t, shape)
  local v, k = rows.max.fn(t, 0)
  local at, rest = {}, k:item()
  for d = #shape, 1, -1 do
    at[d], rest = rest % shape[d], rest // shape[d]
  end
  return number_text(v:item()), "(" .. table.concat(at, ", ") .. (#at == 1 and "," or "") .. ")"
end

-- What torch says of two numbers.
local function scalars(x, y, rtol, atol)
  local a, e = x:item(), y:item()
  local equal, off = rtol == 0 and atol == 0, math.abs(a - e)
  local text = ("Scalars are not %s!\n\nExpected %s but got %s."):format(equal and "equal" or "close", number_text(e),
    number_text(a))
  for _, q in ipairs {{"Absolute", off, atol}, {"Relative", e == 0 and math.huge or math.abs(off / e), rtol}} do
    text = text .. ("\n%s difference: %s"):format(q[1], number_text(q[2])) ..
      (equal and "" or (" (up to %s allowed)"):format(number_text(q[3])))
  end
  return text
end

-- What torch says: differences in the tensors' own arithmetic, integers in int64, and only where they are too great.
local function summary(x, c, rtol, atol, y)
  if x.ndim == 0 and x.dtype ~= "bool" and y.dtype ~= "bool" then
    return scalars(x, y, rtol, atol)
  end
  local equal = rtol == 0 and atol == 0
  local good = rows.reshape.fn(rows.isclose.fn(x, y, rtol, atol), {-1})
  if not rt.isfloat(x.dtype) then x = x:to "int64" end
  if not rt.isfloat(y.dtype) then y = y:to "int64" end
  local a, b = rows.reshape.fn(x, {-1}), rows.reshape.fn(y, {-1})
  local off = rows.masked_fill.fn(rows.abs.fn(rows.sub.fn(a, b)), good, 0)
  local part = rows.masked_fill.fn(rows.div.fn(off, rows.abs.fn(b)), good, 0)
  local text = ("Tensor-likes are not %s!\n\nMismatched elements: %d / %d (%.1f%%)"):format(equal and "equal" or "close",
    c.bad, x:numel(), 100 * c.bad / math.max(1, x:numel()))
  for _, q in ipairs {{"absolute", off, atol}, {"relative", part, rtol}} do
    local most, at = greatest(q[2], x.shape)
    text = text .. ("\nGreatest %s difference: %s at index %s"):format(q[1], most, at) ..
      (equal and "" or (" (up to %s allowed)"):format(number_text(q[3])))
  end
  return text
end

def {
  name = "assert_close",
  sig = "assert_close(actual, expected, *, rtol=None, atol=None, equal_nan=False, check_dtype=True, check_stride=False, check_device=True, msg=None)",
  types = {actual = "any", expected = "any", rtol = "number", atol = "number", equal_nan = "bool",
    check_dtype = "bool",
    check_stride = "bool", check_device = "bool", msg = "any"},
  en = "raises unless shapes and dtypes agree and all elements are close, by torch.testing's tolerances of the dtype",
  zh = "形状、dtype 不同或有元素超出 torch.testing 的容差时报错", ex = "tl.host.assert_close(x, x)",
  fn = function(actual, expected, rtol, atol, equal_nan, check_dtype, check_stride, _, msg)
    local x, y = operand(actual, "actual"), operand(expected, "expected")
    if (rtol == nil) ~= (atol == nil) then
      rt.wrong("tl.host.assert_close", rtol == nil and "rtol" or "atol",
        "given together with the other", "nothing")
    end
    if rules.shape_text(x) ~= rules.shape_text(y) then
      diag.fail("close_shape", rules.shape_text(x), rules.shape_text(y))
    end
    if check_dtype ~= false and x.dtype ~= y.dtype and tensor.istensor(actual)
      and tensor.istensor(expected) then
      diag.fail("close_dtype", x.dtype, y.dtype)
    end
    if check_stride and table.concat(x.strides, ",") ~= table.concat(y.strides, ",") then
      rt.wrong("tl.host.assert_close", "actual", "of strides (" .. table.concat(y.strides, ", ")
        .. ")", "(" .. table.concat(x.strides, ", ") .. ")")
    end
    rtol, atol = tolerances(x, y, rtol, atol)
    if equal_nan and rt.isfloat(x.dtype) and rt.isfloat(y.dtype) then
      local both = rows.logical_and.fn(rows.isnan.fn(x), rows.isnan.fn(y))
      x, y = rows.masked_fill.fn(x, both, 0), rows.masked_fill.fn(y, both, 0)
    end
    require "moontile.tl.testing"
    rules.refuse_close(x, y, rtol, atol, msg, summary)
  end,
}
