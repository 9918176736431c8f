-- T/math.lua: functions of scalars, element by element.
--
-- One row a function; the intrinsic of the core has the same name.

local diag = require "moontile.diag"
local ir = require "moontile.ir"
local registry = require "moontile.T.registry"
local W = require "moontile.base.translations"

local def, alias = registry.def, registry.alias
local call = ir.call

-- name, summary, summary_zh, [argument for the example]
local unary = {
  {"abs", "absolute value", "绝对值"},
  {"acos", "inverse cosine", "反余弦"},
  {"acosh", "inverse hyperbolic cosine", "反双曲余弦"},
  {"asin", "inverse sine", "反正弦"},
  {"asinh", "inverse hyperbolic sine", "反双曲正弦"},
  {"atan", "inverse tangent", "反正切"},
  {"atanh", "inverse hyperbolic tangent", "反双曲正切"},
  {"ceil", "smallest integer not below x", "向上取整"},
  {"cos", "cosine", "余弦"},
  {"cosh", "hyperbolic cosine", "双曲余弦"},
  {"erf", "error function", "误差函数"},
  {"exp", "e to the power x", "e 的 x 次方"},
  {"exp2", "2 to the power x", "2 的 x 次方"},
  {"exp10", "10 to the power x", "10 的 x 次方"},
  {"floor", "largest integer not above x", "向下取整"},
  {"isfinite", "whether x is neither infinite nor NaN", "x 是否为有限值", true},
  {"isinf", "whether x is infinite", "x 是否为无穷", true},
  {"isnan", "whether x is NaN", "x 是否为 NaN", true},
  {"log", "natural logarithm", "自然对数"},
  {"log10", "logarithm to base 10", "以 10 为底的对数"},
  {"log1p", "log(1 + x), exact for small x", "log(1 + x)，对小的 x 精确"},
  {"log2", "logarithm to base 2", "以 2 为底的对数"},
  {"nearbyint", "nearest integer, ties to even", "最近整数，平局取偶"},
  {"rsqrt", "1 / sqrt(x)", "平方根的倒数"},
  {"sigmoid", "1 / (1 + exp(-x))", "S 形函数 1 / (1 + exp(-x))"},
  {"sin", "sine", "正弦"},
  {"sinh", "hyperbolic sine", "双曲正弦"},
  {"sqrt", "square root", "平方根"},
  {"tan", "tangent", "正切"},
  {"tanh", "hyperbolic tangent", "双曲正切"},
  {"trunc", "integer part", "取整数部分"},
  {"__exp", "e to the power x, fast and less exact", "快速的 e 的 x 次方，精度较低"},
  {"__exp2", "2 to the power x, fast: results below 2^-126 are 0",
    "快速的 2 的 x 次方：小于 2^-126 的结果为 0"},
  {"__exp10", "10 to the power x, fast and less exact", "快速的 10 的 x 次方，精度较低"},
  {"__log", "natural logarithm, fast and less exact", "快速自然对数，精度较低"},
  {"__log2", "logarithm to base 2, fast and less exact", "快速以 2 为底的对数，精度较低"},
  {"__log10", "logarithm to base 10, fast and less exact", "快速以 10 为底的对数，精度较低"},
  {"__sin", "sine, fast and less exact", "快速正弦，精度较低"},
  {"__cos", "cosine, fast and less exact", "快速余弦，精度较低"},
  {"__tan", "tangent, fast and less exact", "快速正切，精度较低"},
  {"fast_rcp", "1 / x, fast and less exact", "快速倒数，精度较低"},
}

local function example(name, cond)
  local x = cond and ("T.if_then_else(T.%s(Cl[i, j]), 0, 1)"):format(name) or
    ("T.%s(Cl[i, j])"):format(name)
  return ("for i, j in T.Parallel(32, 32) do Cl[i, j] = %s end"):format(x)
end

-- The fast forms take floats only, as in TileLang.
local function fast(name)
  return function(x)
    local d = ir.dtype(x)
    if d and ir.dtypes[d].class ~= "F" then
      diag.fail("arg_type", "T." .. name, "x", W"a float", d, "T." .. name .. "(T.float32(x))")
    end
    return (call[name](x))
  end
end

for _, u in ipairs(unary) do
  local name = u[1]
  local f = call[name]
  def {
    name = name, sig = name .. "(x)", types = "x:value", summary = u[2], summary_zh = u[3],
    example = example(name, u[4]),
    fn = (name:find("^__") or name == "fast_rcp") and fast(name) or function(x) return (f(x)) end,
  }
end
alias("fabs", "abs")

for _, u in ipairs {
  {"clz", "number of leading zero bits", "前导零位数"},
  {"popcount", "number of bits that are 1", "为 1 的位数"},
} do
  local f = call[u[1]]
  def {
    name = u[1], sig = u[1] .. "(x)", types = "x:value", summary = u[2], summary_zh = u[3],
    example = ("for i, j in T.Parallel(32, 32) do Is[i, j] = T.%s(Is[i, j]) end"):format(u[1]),
    fn = function(x) return (f(x)) end,
  }
end

local modes = {["ties-to-even"] = "round", ["ties-away-from-zero"] = "round_away"}
def {
  name = "round", sig = 'round(x, rounding_mode="ties-to-even")',
  types = "x:value rounding_mode:ties-to-even|ties-away-from-zero",
  summary = "nearest integer, ties to even by default",
  summary_zh = "舍入到最近整数，默认平局取偶", example = example("round"),
  fn = function(x, mode)
    return (call[modes[mode]](x))
  end,
}

-- name, intrinsic, summary, summary_zh
local binary = {
  {"atan2", "atan2", "angle of the point (y, x)", "点 (y, x) 的角度"},
  {"copysign", "copysign", "magnitude of x with the sign of y", "取 x 的大小和 y 的符号"},
  {"fmod", "fmod", "remainder with the sign of x, as in C", "余数，符号与 x 相同（同 C）"},
  {"hypot", "hypot", "sqrt(x*x + y*y)", "直角三角形斜边 sqrt(x*x + y*y)"},
  {"ldexp", "ldexp", "x * 2^y", "x 乘以 2 的 y 次方"},
  {"nextafter", "nextafter", "next float after x towards y", "从 x 朝 y 方向的下一个浮点数"},
}
for _, b in ipairs(binary) do
  local f = call[b[2]]
  def {
    name = b[1], sig = b[1] .. "(x, y)", types = "x:value y:value", summary = b[3],
    summary_zh = b[4],
    example = ("for i, j in T.Parallel(32, 32) do Cl[i, j] = T.%s(Cl[i, j], row[i]) end")
      :format(b[1]),
    fn = function(x, y) return (f(x, y)) end,
  }
end

def {
  name = "pow", sig = "pow(x, y)", types = "x:value y:value",
  summary = "x to the power y; multiplications when y is a whole number",
  summary_zh = "x 的 y 次方；y 为整数时用乘法实现",
  example = "for i, j in T.Parallel(32, 32) do Cl[i, j] = T.pow(Cl[i, j], 3) end",
  fn = function(x, y) return (ir.pow(x, y)) end,
}
alias("power", "pow")

-- name, operator of the core, integers?, summary, summary_zh
local operators = {
  {"max", "max", false, "the larger of two values", "两者中的较大值"},
  {"min", "min", false, "the smaller of two values", "两者中的较小值"},
  {"floordiv", "fdiv", true, "quotient rounded down, like x // y", "向下取整的商，同 x // y"},
  {"floormod", "fmod", true, "remainder with the sign of y, like x % y", "符号与 y 相同的余数，同 x % y"},
  {"truncdiv", "tdiv", true, "quotient rounded towards zero, as in C", "向零取整的商（同 C）"},
  {"truncmod", "tmod", true, "remainder with the sign of x, as in C", "符号与 x 相同的余数（同 C）"},
  {"bitwise_and", "band", true, "bitwise and, like x & y", "按位与，同 x & y"},
  {"bitwise_or", "bor", true, "bitwise or, like x | y", "按位或，同 x | y"},
  {"bitwise_xor", "bxor", true, "bitwise exclusive or, like x ~ y", "按位异或，同 x ~ y"},
  {"shift_left", "shl", true, "x << y", "左移 x << y"},
  {"shift_right", "shr", true, "x >> y", "右移 x >> y"},
}

-- Two Lua integers where the core has no exact answer of its own.
local function truncated(name, x, y)
  local q = math.abs(x) // math.abs(y)
  q = (x < 0) ~= (y < 0) and -q or q
  return name == "tdiv" and q or x - q * y
end

for _, o in ipairs(operators) do
  local f, opname = ir[o[2]], o[2]
  def {
    name = o[1], sig = o[1] .. "(x, y)", types = "x:value y:value", summary = o[4],
    summary_zh = o[5],
    example = o[3] and
      ("for i, j in T.Parallel(32, 32) do Is[i, j] = T.%s(Is[i, j], 3) end"):format(o[1])
      or ("for i, j in T.Parallel(32, 32) do Cl[i, j] = T.%s(Cl[i, j], 0) end"):format(o[1]),
    fn = function(x, y)
      if math.type(x) == "integer" and math.type(y) == "integer" then
        if opname == "tdiv" or opname == "tmod" then
          if y == 0 then
            diag.fail("div_zero", "T." .. o[1])
          end
          return truncated(opname, x, y)
        elseif opname == "shr" and y >= 0 and y < 63 then
          return x // (1 << y)
        elseif y == 0 and (opname == "fdiv" or opname == "fmod") then
          diag.fail("div_zero", "T." .. o[1])
        end
      end
      return (f(x, y))
    end,
  }
end

def {
  name = "bitwise_not", sig = "bitwise_not(x)", types = "x:value",
  summary = "all bits inverted, like ~x", summary_zh = "按位取反，同 ~x",
  example = "for i, j in T.Parallel(32, 32) do Is[i, j] = T.bitwise_not(Is[i, j]) end",
  fn = function(x)
    if math.type(x) == "integer" then
      return ~x
    end
    return (ir.bnot(x))
  end,
}

-- (x + y - 1) // y in the type of x + y, the 1 too.
local function rounded_up(x, y)
  local sum = x + y
  if math.type(sum) == "integer" then
    return -(-x // y)
  end
  return (ir.fdiv(sum - ir.cast(1, ir.dtype(sum)), y))
end

def {
  name = "ceildiv", sig = "ceildiv(x, y)", types = "x:term y:term",
  summary = "quotient rounded up: how many tiles of y cover x",
  summary_zh = "向上取整的商：覆盖 x 需要多少个大小为 y 的分块",
  example = "for k in T.serial(T.ceildiv(20, 8)) do row[k] = 0 end",
  fn = function(x, y)
    if y == 0 then
      diag.fail("div_zero", "T.ceildiv")
    end
    return (rounded_up(x, y))
  end,
}
alias("cdiv", "ceildiv")

def {
  name = "align_up", sig = "align_up(x, y)", types = "x:term y:term",
  summary = "smallest multiple of y that is not below x", summary_zh = "不小于 x 的 y 的最小倍数",
  example = "for k in T.serial(T.align_up(20, 8)) do row[k] = 0 end",
  fn = function(x, y)
    if y == 0 then
      diag.fail("div_zero", "T.align_up")
    end
    return (rounded_up(x, y) * y)
  end,
}

-- IEEE forms with a rounding mode -------------------------------------------

local rounding = {rn = 0, rz = 1, ru = 2, rd = 3}

local function ieee(name, n, summary, zh)
  local args = ({"x", "x, y", "x, y, z"})[n]
  local given = ({"Cl[i, j]", "Cl[i, j], row[i]", "Cl[i, j], row[i], 1"})[n]
  local f = call[name]
  def {
    name = name, sig = ('%s(%s, rounding_mode="rn")'):format(name, args),
    types = "x:value y:value z:value rounding_mode:rn|rz|ru|rd",
    summary = summary .. ", rounded as asked: rn, rz, ru, rd", summary_zh = zh ..
      "，按指定模式舍入：rn、rz、ru、rd",
    example = ("for i, j in T.Parallel(32, 32) do Cl[i, j] = T.%s(%s) end"):format(name, given),
    fn = function(...)
      local v = {...}
      v[n + 1] = rounding[v[n + 1]]
      return (f(table.unpack(v, 1, n + 1)))
    end,
  }
end
ieee("ieee_add", 2, "x + y", "x + y")
ieee("ieee_sub", 2, "x - y", "x - y")
ieee("ieee_mul", 2, "x * y", "x * y")
ieee("ieee_fdiv", 2, "x / y", "x / y")
ieee("ieee_fmaf", 3, "x * y + z, rounded once", "x * y + z（只舍入一次）")
ieee("ieee_frcp", 1, "1 / x", "1 / x")
ieee("ieee_fsqrt", 1, "square root", "平方根")

def {
  name = "ieee_frsqrt", sig = "ieee_frsqrt(x)", types = "x:value",
  summary = "1 / sqrt(x), correctly rounded", summary_zh = "平方根的倒数，正确舍入",
  example = example("ieee_frsqrt"),
  fn = function(x) return (call.ieee_frsqrt(x)) end,
}
