-- tl/host/elementwise.lua: operators that work on each element by itself.

local diag = require "moontile.diag"
local rt = require "moontile.tl.host.promote"
local tensor = require "moontile.tensor"
local registry = require "moontile.tl.host.registry"
local alias = registry.alias

local elem, result_type, float_of, isfloat = rt.elem, rt.result_type, rt.float_of, rt.isfloat

local function def(row)
  row.pointwise = true -- python/torch_layout.lua asks
  registry.def(row)
end

-- One input --------------------------------------------------------------------
-- name -> {what the result is: "float" of integers, "same" dtype, "number": int64 of bool, "bool", "whole": integers
-- stay as they are; English, Chinese}

local unary = {
  neg = {"same", "-x", "-x"},
  abs = {"same", "the magnitude", "绝对值"},
  sign = {"same", "-1, 0 or 1", "符号：-1、0 或 1"},
  square = {"number", "x * x", "平方"},
  relu = {"same", "max(x, 0); NaN stays", "max(x, 0)，保留 NaN"},
  exp = {"float", "e to the x", "e 的 x 次方"},
  exp2 = {"float", "2 to the x", "2 的 x 次方"},
  expm1 = {"float", "e to the x, less 1", "e 的 x 次方减 1"},
  log = {"float", "the natural logarithm", "自然对数"},
  log2 = {"float", "the logarithm to base 2", "以 2 为底的对数"},
  log10 = {"float", "the logarithm to base 10", "以 10 为底的对数"},
  log1p = {"float", "the natural logarithm of 1 + x", "1 + x 的自然对数"},
  sqrt = {"float", "the square root", "平方根"},
  rsqrt = {"float", "1 / sqrt(x)", "平方根的倒数"},
  reciprocal = {"float", "1 / x", "倒数"},
  sin = {"float", "the sine", "正弦"}, cos = {"float", "the cosine", "余弦"},
  tan = {"float", "the tangent", "正切"}, asin = {"float", "the inverse sine", "反正弦"},
  acos = {"float", "the inverse cosine", "反余弦"}, atan = {"float", "the inverse tangent", "反正切"},
  sinh = {"float", "the hyperbolic sine", "双曲正弦"}, cosh = {"float", "the hyperbolic cosine",
    "双曲余弦"},
  tanh = {"float", "the hyperbolic tangent", "双曲正切"},
  asinh = {"float", "the inverse hyperbolic sine", "反双曲正弦"},
  acosh = {"float", "the inverse hyperbolic cosine", "反双曲余弦"},
  atanh = {"float", "the inverse hyperbolic tangent", "反双曲正切"},
  erf = {"float", "the error function", "误差函数"},
  erfc = {"float", "1 - erf(x)", "余误差函数"},
  sigmoid = {"float", "1 / (1 + exp(-x))", "S 形函数 1 / (1 + exp(-x))"},
  silu = {"float", "x sigmoid(x)", "silu 函数，即 x sigmoid(x)"},
  mish = {"float", "x tanh(log(1 + exp(x)))", "mish 函数"},
  logsigmoid = {"float", "log(sigmoid(x))", "sigmoid 的对数"},
  floor = {"whole", "rounded down", "向下取整"}, ceil = {"whole", "rounded up", "向上取整"},
  trunc = {"whole", "rounded towards zero", "向零取整"},
  frac = {"same", "what is behind the point", "小数部分"},
  isnan = {"bool", "true where NaN", "是否为 NaN"},
  isinf = {"bool", "true where infinite", "是否为无穷"},
  isposinf = {"bool", "true where infinite and positive", "是否为正无穷"},
  isneginf = {"bool", "true where infinite and negative", "是否为负无穷"},
  isfinite = {"bool", "true where neither infinite nor NaN", "是否有限"},
  signbit = {"bool", "true where the sign is minus", "符号位是否为负"},
  logical_not = {"bool", "true where 0", "是否为 0"},
}

local function unary_dtype(kind, dtype)
  return kind == "bool" and "bool" or kind == "float" and float_of(dtype) or kind == "number" and dtype == "bool" and "int64"
    or dtype
end

local names = {}
for name in pairs(unary) do names[#names + 1] = name end
table.sort(names)
for _, name in ipairs(names) do
  local kind, en, zh = table.unpack(unary[name])
  def {
    name = name, sig = name .. "(input)", method = true, inplace = kind ~= "bool",
    en = en .. ", for each element", zh = "逐元素：" .. zh, ex = ("print(tl.host.%s(x))"):format(name),
    fn = function(x)
      if kind == "whole" and not isfloat(x.dtype) then return x:copy() end
      return elem(name, unary_dtype(kind, x.dtype), nil, nil, nil, x)
    end,
  }
end
for name, of in pairs {absolute = "abs", negative = "neg", swish = "silu", arctan = "atan",
  fix = "trunc",
  arcsin = "asin", arccos = "acos", sgn = "sign"} do
  alias(name, of)
end

def {
  name = "round", sig = "round(input, *, decimals=0)", method = true, inplace = true,
  types = {decimals = "int"}, en = "rounded to nearest, ties to even, for each element",
  zh = "逐元素：舍入到最近，平局取偶", ex = "print(tl.host.round(x))",
  fn = function(x, decimals)
    if not isfloat(x.dtype) then return x:copy() end
    return elem("round", x.dtype, 10.0 ^ (decimals or 0), nil, nil, x)
  end,
}

def {
  name = "bitwise_not", sig = "bitwise_not(input)", method = true, inplace = true,
  en = "all bits flipped; logical not of bool", zh = "按位取反；bool 为逻辑非",
  ex = "print(tl.host.bitwise_not(t))",
  fn = function(x)
    if isfloat(x.dtype) then
      diag.fail("ops_dtype", "bitwise_not", x.dtype, "", "int32")
    end
    return elem(x.dtype == "bool" and "logical_not" or "bitnot", x.dtype, nil, nil, nil, x)
  end,
}

-- Activations with numbers.
def {
  name = "gelu", sig = 'gelu(input, *, approximate="none")', method = true,
  en = "x Phi(x), with erf, or with approximate = \"tanh\"",
  zh = "x Phi(x)，用 erf 计算，approximate = \"tanh\" 时用 tanh 近似", ex = "print(tl.host.gelu(x))",
  fn = function(x, approximate)
    if approximate ~= nil and approximate ~= "none" and approximate ~= "tanh" then
      rt.wrong("tl.host.gelu", "approximate", '"none" or "tanh"', approximate)
    end
    return elem(approximate == "tanh" and "gelu_tanh" or "gelu", float_of(x.dtype), nil, nil, nil,
      x)
  end,
}
def {
  name = "softplus", sig = "softplus(input, beta=1, threshold=20)",
  types = {beta = "number", threshold = "number"},
  en = "log(1 + exp(beta x)) / beta, for each element",
  zh = "逐元素：log(1 + exp(beta x)) / beta", ex = "print(tl.host.softplus(x))",
  fn = function(x, beta, threshold)
    return elem("softplus", float_of(x.dtype), beta or 1, threshold or 20, nil, x)
  end,
}
def {
  name = "leaky_relu", sig = "leaky_relu(input, negative_slope=0.01)",
  types = {negative_slope = "number"},
  en = "x, times the slope below 0", zh = "x，小于 0 时乘以斜率", ex = "print(tl.host.leaky_relu(x, 0.1))",
  fn = function(x, slope) return elem("leaky_relu", x.dtype, slope or 0.01, nil, nil, x) end,
}
def {
  name = "elu", sig = "elu(input, alpha=1.0)", en = "x, and alpha (exp(x) - 1) below 0",
  zh = "x，小于 0 时为 alpha (exp(x) - 1)", ex = "print(tl.host.elu(x))",
  fn = function(x, alpha) return elem("elu", float_of(x.dtype), alpha or 1, nil, nil, x) end,
}

-- Two inputs ---------------------------------------------------------------------

-- Numbers become tensors, rounded as the result will be.
local function pair(x, y, dtype, exact)
  return rt.common(x, dtype, exact), rt.common(y, dtype, exact)
end

-- Operators that take a tensor without dimensions as it is, PyTorch's scalar; others round it to their dtype.
local wide = {add = true, sub = true, mul = true, div = true}

-- Those whose numbers are rounded to the dtype as well.
local exact = {mod = true, fmod = true, xlogy = true}

local function two(op, x, y, dtype, p)
  local how = wide[op] and "wide" or exact[op] or op == "floordiv" and not tensor.istensor(x) or nil
  return elem(op, dtype, p, nil, nil, pair(x, y, dtype, how))
end

-- x of a dtype that PyTorch would compute with is rounded to it first, so that 0.1 is 0.1.
local function compared(op, x, y)
  local dtype = result_type(x, y)
  if op:find "^logical" then dtype = nil end -- which asks each whether it is 0
  return elem(op, "bool", nil, nil, nil, pair(x, y, dtype, true))
end

local binary = {
  mul = {"x * y", "x * y"},
  maximum = {"the larger of two; NaN wins", "两者中较大的；遇 NaN 得 NaN"},
  minimum = {"the smaller of two; NaN wins", "两者中较小的；遇 NaN 得 NaN"},
  fmax = {"the larger of two; NaN loses", "两者中较大的；忽略 NaN"},
  fmin = {"the smaller of two; NaN loses", "两者中较小的；忽略 NaN"},
  fmod = {"what x / y leaves, with the sign of x", "余数，符号同 x"},
  remainder = {"what x / y leaves, with the sign of y", "余数，符号同 y", "mod"},
  floor_divide = {"x / y rounded down", "x / y 向下取整", "floordiv"},
}
local of_ints = {fmax = "maximum", fmin = "minimum"} -- which no integer but these rounds to a float64
local floats = {
  atan2 = {"the angle of the point (y, x)", "点 (y, x) 的角度"},
  hypot = {"sqrt(x^2 + y^2)", "斜边 sqrt(x^2 + y^2)"},
  copysign = {"the magnitude of x with the sign of y", "x 的绝对值配上 y 的符号"},
  xlogy = {"x log(y); 0 where x is 0", "x log(y)，x 为 0 时得 0"},
  logaddexp = {"log(exp(x) + exp(y))", "log(exp(x) + exp(y))，指数和的对数"},
}
local compares = {
  eq = {"x == y", "x == y"}, ne = {"x ~= y", "x ~= y"}, lt = {"x < y", "x < y"},
  le = {"x <= y", "x <= y"}, gt = {"x > y", "x > y"}, ge = {"x >= y", "x >= y"},
  logical_and = {"neither is 0", "两者都非 0"}, logical_or = {"one of them is not 0", "至少一个非 0"},
  logical_xor = {"just one of them is 0", "恰有一个为 0"},
}
local bits = {
  bitwise_and = {"bitand", "bits that both have", "按位与"}, bitwise_or = {"bitor",
    "bits that one has", "按位或"},
  bitwise_xor = {"bitxor", "bits that just one has", "按位异或"},
  bitwise_left_shift = {"shl", "x shifted left by y bits", "左移 y 位"},
  bitwise_right_shift = {"shr", "x shifted right by y bits", "右移 y 位"},
}

local function rows(list, make)
  local sorted = {}
  for name in pairs(list) do sorted[#sorted + 1] = name end
  table.sort(sorted)
  for _, name in ipairs(sorted) do make(name, table.unpack(list[name])) end
end

local function binary_row(name, en, zh, inplace, fn)
  return def {
    name = name, sig = name .. "(input, other)", method = true, inplace = inplace,
    types = {input = "operand"},
    en = en .. ", for each element; shapes broadcast, numbers too",
    zh = "逐元素：" .. zh .. "；形状自动广播，也可为数",
    ex = ("print(tl.host.%s(t, 2))"):format(name), fn = fn,
  }
end

rows(binary, function(name, en, zh, op)
  binary_row(name, en, zh, true, function(x, y)
    local dtype = result_type(x, y)
    return two(not isfloat(dtype) and of_ints[name] or op or name, x, y, dtype)
  end)
end)
rows(floats, function(name, en, zh)
  binary_row(name, en, zh, true, function(x, y) return two(name, x, y, float_of(result_type(x,
    y))) end)
end)
rows(compares, function(name, en, zh)
  binary_row(name, "whether " .. en, zh .. "，得 bool 张量", false, function(x, y)
    return compared(name, x, y)
  end)
end)
rows(bits, function(name, op, en, zh)
  binary_row(name, en, zh, true, function(x, y)
    local dtype = result_type(x, y)
    if isfloat(dtype) then
      diag.fail("ops_dtype", name, dtype, "", "int32")
    end
    local logic = {bitand = "logical_and", bitor = "logical_or", bitxor = "logical_xor"}
    return two(dtype == "bool" and logic[op] or op, x, y, dtype)
  end)
end)

-- With a factor for the second: x + alpha y.
for name, sign in pairs {add = "+", sub = "-"} do
  def {
    name = name, sig = name .. "(input, other, *, alpha=1)", method = true, inplace = true,
    types = {input = "operand"},
    en = ("x %s alpha y, for each element; shapes broadcast, numbers too"):format(sign),
    zh = ("逐元素：x %s alpha y；形状自动广播，也可为数"):format(sign),
    ex = ("print(tl.host.%s(t, 2))"):format(name),
    fn = function(x, y, alpha) return two(name, x, y, result_type(x, y), alpha or 1) end,
  }
end

-- 1 / y as a GPU has it: of float32 for dtypes that are no wider.
local function inverse(y, dtype)
  if dtype == "float64" then
    return 1 / y
  end
  return string.unpack("f", string.pack("f", 1 / string.unpack("f", string.pack("f", y))))
end

def {
  name = "div", sig = "div(input, other, *, rounding_mode=None)", method = true, inplace = true,
  types = {input = "operand", rounding_mode = "string"},
  en = 'x / y, for each element; rounding_mode: "floor" or "trunc" for whole numbers',
  zh = '逐元素：x / y；rounding_mode 为 "floor" 或 "trunc" 时取整', ex = "print(tl.host.div(t, 2))",
  fn = function(x, y, mode)
    local dtype = result_type(x, y)
    if mode == "floor" then return two("floordiv", x, y, dtype) end
    if mode == "trunc" then return two("div_trunc", x, y, dtype) end
    if mode ~= nil then
      rt.wrong("tl.host.div", "rounding_mode", '"floor" or "trunc"', tostring(mode))
    end
    if rt.reciprocal and math.type(y) then
      return two("mul", x, inverse(y, float_of(dtype)), float_of(dtype))
    end
    return two("div", x, y, float_of(dtype))
  end,
}

-- Is there an element below 0?
local function negative(y)
  if not tensor.istensor(y) then return y < 0 end
  return y:numel() > 0 and elem("lt", "bool", nil, nil, nil, y, rt.scalar(0, "int64")):any()
end

def {
  name = "pow", sig = "pow(input, exponent)", method = true, inplace = true,
  types = {input = "operand", exponent = "operand"},
  en = "x to the y, for each element; shapes broadcast, numbers too",
  zh = "逐元素：x 的 y 次方；形状自动广播，也可为数", ex = "print(tl.host.pow(t, 2))",
  fn = function(x, y)
    local dtype = result_type(x, y)
    if not isfloat(dtype) and dtype ~= "bool" and negative(y) then
      diag.fail("ops_power", dtype)
    end
    return elem("pow", dtype, nil, nil, nil, pair(x, y, dtype, true)) -- of numbers rounded to the dtype, too
  end,
}

for name, of in pairs {multiply = "mul", subtract = "sub", divide = "div", true_divide = "div",
  not_equal = "ne", less = "lt", less_equal = "le", greater = "gt", greater_equal = "ge",
  arctan2 = "atan2"} do
  alias(name, of)
end

def {
  name = "gcd", sig = "gcd(input, other)", method = true, inplace = true,
  types = {input = "operand"},
  en = "the greatest common divisor, for each element", zh = "逐元素：最大公约数",
  ex = "print(tl.host.gcd(t, 6))",
  fn = function(x, y)
    local dtype = result_type(x, y)
    if isfloat(dtype) then diag.fail("ops_dtype", "gcd", dtype, "", "int32") end
    return two("gcd", x, y, dtype)
  end,
}

-- Three ------------------------------------------------------------------------------

def {
  name = "where", sig = "where(condition, input=None, other=None)", types = {condition = "tensor",
    input = "operand", other = "operand"},
  en = "elements of input where the condition holds, else of other; with the condition alone, the places where it holds",
  zh = "条件成立处取 input 的元素，否则取 other 的；只给条件时返回其成立的位置",
  ex = "print(tl.host.where(t:gt(5), t, 0))",
  fn = function(condition, x, y)
    if x == nil or y == nil then
      return require("moontile.tl.host.registry").rows.nonzero.fn(condition, true)
    end
    local dtype = result_type(x, y)
    local a, b = pair(x, y, dtype, true)
    return elem("where", dtype, nil, nil, nil, condition, a, b)
  end,
}

local function infinite(dtype, sign)
  if isfloat(dtype) then return tensor.from_table(sign * math.huge, "float64") end
  return tensor.from_table(sign > 0 and (dtype == "uint64" and -1 or math.maxinteger)
    or dtype == "uint64" and 0 or math.mininteger, "int64")
end

local function clamp(what)
  return function(x, min, max)
    if min == nil and max == nil then
      rt.wrong("tl.host." .. what, "min", "given, or max", "nothing")
    end
    local dtype = result_type(x, min, max)
    -- one bound alone that is the number NaN is none, and goes around in a narrow integer: as in PyTorch
    local one = min == nil or max == nil
    local bound = one and rt.common or rt.operand
    if one and (min or max) ~= (min or max) then min, max = nil, nil end
    local lo = min == nil and infinite(dtype, -1) or bound(min, dtype, true)
    local hi = max == nil and infinite(dtype, 1) or bound(max, dtype, true)
    return elem("clamp", dtype, nil, nil, nil, x, lo, hi)
  end
end

def {
  name = "clamp", sig = "clamp(input, min=None, max=None)", method = true, inplace = true,
  types = {min = "operand", max = "operand"},
  en = "limited to a range, for each element; a missing bound is none", zh = "逐元素：限制在范围内；可省略一端",
  ex = "print(tl.host.clamp(t, 2, 6))", fn = clamp "clamp",
}
alias("clip", "clamp")
def {
  name = "clamp_min", sig = "clamp_min(input, min)", method = true, inplace = true,
  types = {min = "operand"},
  en = "at least min, for each element", zh = "逐元素：不小于 min", ex = "print(tl.host.clamp_min(t, 2))",
  fn = clamp "clamp_min",
}
def {
  name = "clamp_max", sig = "clamp_max(input, max)", method = true, inplace = true,
  types = {max = "operand"},
  en = "at most max, for each element", zh = "逐元素：不大于 max", ex = "print(tl.host.clamp_max(t, 6))",
  fn = function(x, max) return clamp "clamp_max"(x, nil, max) end,
}

def {
  name = "lerp", sig = "lerp(input, end, weight)", method = true, inplace = true,
  types = {["end"] = "tensor", weight = "operand"},
  en = "input + weight (end - input), for each element",
  zh = "逐元素：input + weight (end - input)", ex = "print(tl.host.lerp(x, w, 0.5))",
  fn = function(x, y, weight)
    local dtype = result_type(x, y)
    return elem("lerp", dtype, nil, nil, nil, x, y, rt.operand(weight, dtype))
  end,
}
for name, sign in pairs {addcmul = "*", addcdiv = "/"} do
  def {
    name = name, sig = name .. "(input, tensor1, tensor2, *, value=1)", method = true,
    inplace = true,
    types = {tensor1 = "operand", tensor2 = "operand"},
    en = ("input + value tensor1 %s tensor2, for each element"):format(sign),
    zh = ("逐元素：input + value tensor1 %s tensor2"):format(sign),
    ex = ("print(tl.host.%s(x, w, w))"):format(name),
    fn = function(x, y, z, value)
      local dtype = result_type(x, y, z)
      return elem(name, name == "addcdiv" and float_of(dtype) or dtype, value or 1, nil, nil, x,
        rt.operand(y, dtype), rt.operand(z, dtype))
    end,
  }
end

def {
  name = "masked_fill", sig = "masked_fill(input, mask, value)", method = true, inplace = true,
  types = {value = "operand"}, en = "value where the mask is true, else input",
  zh = "掩码为真处取 value，否则取 input", ex = "print(tl.host.masked_fill(t, t:gt(5), 0))",
  fn = function(x, mask, value)
    if mask.dtype ~= "bool" then
      diag.fail("ops_dtype", "masked_fill", mask.dtype, "", "bool")
    end
    local v = rt.operand(value, x.dtype, true)
    if not isfloat(x.dtype) and isfloat(v.dtype) then v = v:astype(x.dtype) end -- or all would go through float64
    return elem("where", x.dtype, nil, nil, nil, mask, v, x)
  end,
}
def {
  name = "nan_to_num", sig = "nan_to_num(input, nan=0.0, posinf=None, neginf=None)", method = true,
  inplace = true, types = {nan = "number", posinf = "number", neginf = "number"},
  en = "numbers for NaN and infinities", zh = "用数代替 NaN 与无穷", ex = "print(tl.host.nan_to_num(x))",
  fn = function(x, nan, posinf, neginf)
    if not isfloat(x.dtype) then return x:copy() end
    local d = require("moontile.tl.tensor").rules.dtype_info(x.dtype)
    local function set(t, test, v)
      return elem("where", x.dtype, nil, nil, nil, elem(test, "bool", nil, nil, nil, x),
        tensor.from_table(v + 0.0, "float64"), t)
    end
    return set(set(set(x, "isnan", nan or 0), "isposinf", posinf or d.max), "isneginf", neginf
      or d.min)
  end,
}
