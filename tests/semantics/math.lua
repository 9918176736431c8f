-- Element functions, casts between all types, small integer types.
local check = dofile "lib/check.lua"
tl.manual_seed(7)

local map = tl.jit(function(X, f, din, dout)
  local N = T.const "N"
  X: T.Tensor({N}, din)
  local O = T.empty({N}, dout)
  for bx in T.Kernel(T.ceildiv(N, 32)) do
    for i in T.Parallel(32) do O[bx * 32 + i] = f(X[bx * 32 + i]) end
  end
  return O
end)

-- name -> the same in plain Lua; values from -3 to 3, or where it is defined
local exp, log, abs, floor, ceil, sqrt = math.exp, math.log, math.abs, math.floor, math.ceil, math.sqrt
local function sinh(x) return (exp(x) - exp(-x)) / 2 end
local function cosh(x) return (exp(x) + exp(-x)) / 2 end
local function trunc(x) return x < 0 and ceil(x) or floor(x) end
local function even(x)
  local f = floor(x)
  if x - f ~= 0.5 then return floor(x + 0.5) end
  return f % 2 == 0 and f or f + 1
end
local unary = {
  exp = exp, exp2 = function(x) return 2 ^ x end, exp10 = function(x) return 10 ^ x end,
  sin = math.sin, cos = math.cos, tan = math.tan, asin = math.asin, acos = math.acos,
  atan = math.atan, sinh = sinh, cosh = cosh, tanh = function(x) return sinh(x) / cosh(x) end,
  asinh = function(x) return x < 0 and -log(-x + sqrt(x * x + 1)) or log(x + sqrt(x * x + 1)) end,
  acosh = function(x) return log(x + sqrt(x * x - 1)) end,
  atanh = function(x) return 0.5 * log((1 + x) / (1 - x)) end,
  log = log, log2 = function(x) return log(x, 2) end, log10 = function(x) return log(x, 10) end,
  log1p = function(x) return log(1 + x) end, sqrt = sqrt,
  rsqrt = function(x) return 1 / sqrt(x) end, sigmoid = function(x) return 1 / (1 + exp(-x)) end,
  abs = abs, floor = floor, ceil = ceil, trunc = trunc, nearbyint = even, round = even,
}
local domain = {
  asin = {-1, 1}, acos = {-1, 1}, atanh = {-0.9, 0.9}, acosh = {1, 5}, log = {0.01, 9},
  log2 = {0.01, 9}, log10 = {0.01, 9}, log1p = {-0.9, 9}, sqrt = {0, 9}, rsqrt = {0.01, 9},
  tan = {-1.4, 1.4},
}
for name, f in pairs(unary) do
  local d = domain[name] or {-3, 3}
  local x = tl.rand({45}) * (d[2] - d[1]) + d[1]
  check.each("T." .. name, map(x, T[name], "float32", "float32"), function(i) return f(x[i]) end, 3e-6)
  x = x:to("float64")
  check.each("T." .. name .. " float64", map(x, T[name], "float64", "float64"),
    function(i) return f(x[i]) end, 1e-12)
end
for _, name in ipairs {"__exp", "__exp2", "__log", "__sin", "__cos", "__exp10", "__log2", "__log10", "__tan"} do
  local plain = name:sub(3)
  local d = domain[plain] or {-3, 3}
  local x = tl.rand({45}) * (d[2] - d[1]) + d[1]
  check.each("T." .. name, map(x, T[name], "float32", "float32"),
    function(i) return unary[plain](x[i]) end, 1e-4)
end
local halves = tl.from_table({-2.5, -1.5, -0.5, 0.5, 1.5, 2.5}, "float64")
check.close("round to even", map(halves, T.round, "float64", "float64"), {-2, -2, -0.0, 0, 2, 2})
check.close("round away", map(halves, T.macro(function(v)
  return T.round(v, "ties-away-from-zero")
end), "float64", "float64"), {-3, -2, -1, 1, 2, 3})

local bin = tl.jit(function(X, Y, f, d)
  local N = T.const "N"
  X: T.Tensor({N}, d)
  Y: T.Tensor({N}, d)
  local O = T.empty({N}, d)
  for bx in T.Kernel(1) do
    for i in T.Parallel(N) do O[i] = f(X[i], Y[i]) end
  end
  return O
end)
local function binary(name, d, f, lo, hi)
  local x, y
  if d:find "int" then
    x, y = tl.randint(lo, hi, {60}, d), tl.randint(lo, hi, {60}, d)
    if name:find "div" or name:find "mod" then y = (y * 2 + 1):to(d) end
  else
    x, y = tl.rand({60}) * (hi - lo) + lo, tl.rand({60}) * (hi - lo) + lo
  end
  check.each(("T.%s %s"):format(name, d), bin(x, y, T[name], d), function(i) return f(x[i], y[i]) end,
    d:find "int" and 0 or 2e-6)
end
local function tdiv(p, q) return trunc(p / q) end
binary("max", "float32", math.max, -3, 3)
binary("min", "int16", math.min, -99, 99)
binary("pow", "float32", function(p, q) return p ^ q end, 0.1, 3)
binary("fmod", "float32", math.fmod, -3, 3)
binary("atan2", "float32", math.atan, -3, 3)
binary("hypot", "float32", function(p, q) return sqrt(p * p + q * q) end, -3, 3)
binary("copysign", "float32", function(p, q) return q < 0 and -abs(p) or abs(p) end, -3, 3)
binary("floordiv", "int32", function(p, q) return p // q end, -50, 50)
binary("floormod", "int32", function(p, q) return p % q end, -50, 50)
binary("truncdiv", "int32", tdiv, -50, 50)
binary("truncmod", "int32", function(p, q) return p - q * tdiv(p, q) end, -50, 50)
binary("floordiv", "int8", function(p, q) return p // q end, -50, 50)
binary("floormod", "int64", function(p, q) return p % q end, -50, 50)
binary("bitwise_and", "int32", function(p, q) return p & q end, -50, 50)
binary("bitwise_or", "uint8", function(p, q) return p | q end, 0, 50)
binary("bitwise_xor", "int64", function(p, q) return p ~ q end, -50, 50)
binary("shift_left", "int32", function(p, q) return p << q end, 0, 9)
binary("shift_right", "int32", function(p, q) return p >> q end, 0, 9)
binary("ceildiv", "int32", function(p, q) return -(-p // q) end, 1, 50)

-- operators and mixed types ------------------------------------------------------------------

local function expr(what, x, f, dout, want, tol)
  check.each(what, map(x, f, x.dtype, dout), want, tol)
end
local xi = tl.arange(-8, 8):to("int32")
local function at(i) return i - 8 end
expr("int times float", xi, T.macro(function(v) return v * 0.5 end), "float32",
  function(i) return at(i) * 0.5 end)
expr("float literal plus int", xi, T.macro(function(v) return 1.5 + v end), "float64",
  function(i) return 1.5 + at(i) end)
expr("cast in the store truncates", tl.from_table {-1.7, -0.2, 0.9, 2.5}, T.macro(function(v)
  return v
end), "int32", function(i) return ({-1, 0, 0, 2})[i + 1] end)
expr("clamp", xi, T.macro(function(v) return T.clamp(v, -3, 4) end), "int32",
  function(i) return math.max(-3, math.min(4, at(i))) end)
expr("comparison chain", xi, T.macro(function(v)
  return (v > -3 and v <= 4) and v or (v == -5) and 100 or 0
end), "int32", function(i)
  local v = at(i)
  return v > -3 and v <= 4 and v or v == -5 and 100 or 0
end)
expr("power by squaring", xi, T.macro(function(v) return T.pow(T.cast(v, "float32"), 3) end), "float32",
  function(i) return at(i) ^ 3 end)
expr("unary minus and abs", xi, T.macro(function(v) return -v + T.abs(v) end), "int32",
  function(i) return -at(i) + abs(at(i)) end)
local odd = tl.from_table {0.0, 1 / 0, -1 / 0, 0 / 0, 3}
expr("isnan", odd, T.macro(function(v) return T.if_then_else(T.isnan(v), 1, 0) end), "int32",
  function(i) return i == 3 end)
expr("isinf", odd, T.macro(function(v) return T.if_then_else(T.isinf(v), 1, 0) end), "int32",
  function(i) return i == 1 or i == 2 end)
expr("isfinite", odd, T.macro(function(v) return T.isfinite(v) end), "bool",
  function(i) return i == 0 or i == 4 end)

-- limits -----------------------------------------------------------------------------------------

for d, pair in pairs {int8 = {-128, 127}, uint8 = {0, 255}, int32 = {-2 ^ 31, 2 ^ 31 - 1},
  float16 = {-65504, 65504}, bfloat16 = {-0x1.FEp127, 0x1.FEp127}, float8_e4m3fn = {-448, 448},
  float8_e5m2 = {-57344, 57344}, uint16 = {0, 65535}} do
  local one = tl.zeros({1}, d)
  check.each("min_value " .. d, map(one, function() return T.min_value(d) end, d, d),
    function() return pair[1] end)
  check.each("max_value " .. d, map(one, function() return T.max_value(d) end, d, d),
    function() return pair[2] end)
end

-- casts: what the tensors' own conversion says -----------------------------------------------------

local types = {"bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64",
  "float16", "bfloat16", "float32", "float64", "float8_e4m3fn", "float8_e5m2"}
local convert = tl.jit(function(X, dtypes, din)
  local N = T.const "N"
  X: T.Tensor({N}, din)
  local outs = {}
  for i, d in ipairs(dtypes) do outs[i] = T.empty({N}, d) end
  for bx in T.Kernel(1) do
    for i, d in ipairs(dtypes) do
      if i % 2 == 0 then
        T.copy(X, outs[i])
      else
        for j in T.Parallel(N) do outs[i][j] = T.cast(X[j], d) end
      end
    end
  end
  return table.unpack(outs)
end)
local values = {0, 1, 2, 3.25, 5.5, 17, 100, 0.3, 0.001, 120.7, 1.0625, 127}
for _, din in ipairs(types) do
  local t = tl.from_table(values):to(din)
  local outs = {convert(t, types, din)}
  for i, d in ipairs(types) do
    check.close(din .. " to " .. d, outs[i], t:to(d))
  end
end

-- 64 bits into 8 or 11 bits: rounded once
local long = tl.from_table({1 << 60, (1 << 60) + (1 << 52), (1 << 60) + (1 << 52) + 1,
  -(1 << 60) - (1 << 52) - 1, (1 << 53) + 1, 4097, 4098}, "int64")
local bf, hf = convert(long, {"bfloat16", "float16"}, "int64")
check.close("int64 to bfloat16 once", bf, {2.0 ^ 60, 2.0 ^ 60, 2.0 ^ 60 + 2.0 ^ 53,
  -2.0 ^ 60 - 2.0 ^ 53, 2.0 ^ 53, 4096, 4096})
check.close("int64 to float16 once", hf[5:], {4096, 4096})

-- four bits ---------------------------------------------------------------------------------------

local nibbles = tl.jit(function(X)
  local N = T.const "N"
  X: T.Tensor({N}, T.int4)
  local O, P = T.empty({N}, T.int32), T.empty({N}, T.int4)
  for bx in T.Kernel(1) do
    for i in T.Parallel(N) do O[i] = X[i]:astype(T.int32) end
    local s = T.alloc_shared({N}, T.int4)
    T.copy(X, s)
    T.copy(s, P)
  end
  return O, P
end)
local n4 = tl.arange(-8, 8):to("int4")
local wide, same = nibbles(n4)
check.each("int4", wide, function(i) return i - 8 end)
check.close("int4 copy", same, n4)

local unpack4 = tl.jit(function(X, signed)
  local N = T.const "N"
  X: T.Tensor({N}, T.uint8)
  local O = T.empty({N * 2}, T.float16)
  for bx in T.Kernel(1) do
    for i in T.Parallel(N * 2) do
      local q = (X[i // 2] >> (i % 2 * 4):astype("uint8")) & 0xf
      if signed then
        O[i] = T.cast(T.if_then_else(q > 7, q:astype("int32") - 16, q:astype("int32")), "float16")
      else
        O[i] = q
      end
    end
  end
  return O
end)
local bytes = tl.randint(0, 256, {31}, "uint8")
for _, signed in ipairs {false, true} do
  check.each("unpack", unpack4(bytes, signed), function(i)
    local q = bytes[i // 2] >> (i % 2 * 4) & 15
    return signed and q > 7 and q - 16 or q
  end)
end

-- Directed rounding at the ends of float32, remainders of floats, zeros' signs: on both targets. -----------

local function ends(A, B)
  A: T.Tensor({8}, "float32")
  B: T.Tensor({4}, "float64")
  local C, D = T.empty({14}, "float32"), T.empty({6}, "float64")
  for bx in T.Kernel(1) do for i in T.Parallel(1) do
    C[0] = T.ieee_add(A[0], A[0], "rz")
    C[1] = T.ieee_mul(A[1], A[2], "rd")
    C[2] = 1 / T.ieee_fmaf(A[3], -A[3], A[3], "rd")
    C[3] = T.ieee_frcp(A[1], "rz")
    C[4] = T.ieee_fdiv(A[1], A[4], "rz")
    C[5] = T.ieee_fmaf(A[1], A[2], A[1], "rz")
    C[6] = T.ieee_add(A[3], A[1], "ru")
    C[7] = T.ieee_sub(A[3], A[1], "rn")
    C[8] = T.ieee_fsqrt(A[5], "ru")
    C[9] = A[6] % 3
    C[10] = -A[6] % 3
    C[11] = A[6] % T.float32(-3)
    C[12] = T.float32(9) % T.float32(-2.5)
    C[13] = 1 / T.cast(T.cast(A[7], "int32"), "float32")
    D[0] = B[0] % 7
    D[1] = 1 / (T.cast(0, "float64") - T.abs(B[1]))
    D[2] = T.cast(T.cast(B[2], "float32"), "float64")
    D[3] = T.cast(T.cast(B[3], "float32"), "float64")
    D[4] = T.Select(T.cast(B[2], "float32") == B[2], 1, 0)
    D[5] = T.max(T.cast(B[2], "float32") + 1, T.cast(B[2], "float32"))
  end end
  return C, D
end
for _, target in ipairs {"cpu", "sim -arch=sm_80", "sim -arch=gfx942"} do
  local c, d = tl.jit(ends, {target = target})(tl.from_table({3.4e38, 1e-40, -1e-7, 1, 1.5, 2, 2 ^ 31, -0.3}, "float32"),
    tl.from_table({9.3e18, 0, 0.1, 1e300}, "float64"))
  local want = {0x1.fffffep127, -0x1p-149, -1 / 0, 0x1.fffffep127, 47574 * 0x1p-149, 71361 * 0x1p-149, 0x1.000002p0, 1,
    0x1.6a09e8p0, 2, 1, -1, -1, 1 / 0}
  for i, v in ipairs(want) do check.equal(("%s: ends %d"):format(target, i - 1), ("%a"):format(c[i - 1]), ("%a"):format(v)) end
  local wide = {9.3e18 % 7.0, 1 / 0, 0x1.99999ap-4, 1 / 0, 0, 0x1.19999ap0}
  for i, v in ipairs(wide) do check.equal(("%s: ends of float64 %d"):format(target, i - 1), ("%a"):format(d[i - 1]), ("%a"):format(v)) end
end

check.done()
