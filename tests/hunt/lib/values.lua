-- values.lua: expressions of one element over all types, with chains of casts, and what they are worth.
--
--     local e = values.new(r, "float32", 4)     a random expression of that type
--     e.text                                    "T.cast((X_float64[i] + T.cast(X_int8[i], \"float64\")), \"float32\")"
--     e.f(row)                                  its value where X_float64[i] is row.float64
--
-- The reference is written for this test: integers are Lua's, those of uint64 by their bits; floats are doubles that
-- hold a value of their type.  Both sides of an operator are cast to one type, so that nothing is promoted.  Products
-- of float32 and float64 are not added to, which compilers contract.
local M = {}

-- Types ------------------------------------------------------------------------------------------

-- x to so many binary digits, ties to even; the least exponent; what is beyond `top` becomes `over`
local function rounder(digits, low, top, over)
  return function(x)
    if x == 0 or x ~= x then return x end
    local a, s = math.abs(x), x < 0 and -1.0 or 1.0
    if a == math.huge then return s * over end
    local e = low
    if a >= 2.0 ^ low then
      e = math.floor(math.log(a, 2))
      while 2.0 ^ e > a do e = e - 1 end
      while 2.0 ^ (e + 1) <= a do e = e + 1 end
    end
    local step = 2.0 ^ (e - digits + 1)
    local q = a / step
    local f = math.floor(q) + 0.0
    if q - f > 0.5 or (q - f == 0.5 and f % 2 == 1) then f = f + 1 end
    local v = f * step
    return s * (v > top and over or v)
  end
end

local function int(bits, signed)
  local wrap
  if bits == 64 then
    wrap = function(v) return v end
  elseif signed then
    wrap = function(v) return (v + (1 << (bits - 1)) & (1 << bits) - 1) - (1 << (bits - 1)) end
  else
    wrap = function(v) return v & (1 << bits) - 1 end
  end
  local lo = signed and -(2.0 ^ (bits - 1)) or 0.0
  local most = bits == 64 and (signed and math.maxinteger or -1) or (1 << (signed and bits - 1 or bits)) - 1
  return {int = true, bits = bits, signed = signed, round = wrap, lo = lo, over = 2.0 ^ (signed and bits - 1 or bits), most = most}
end

local types = {
  int8 = int(8, true), int16 = int(16, true), int32 = int(32, true), int64 = int(64, true),
  uint8 = int(8, false), uint16 = int(16, false), uint32 = int(32, false), uint64 = int(64, false),
  float64 = {round = function(x) return x end},
  float32 = {round = function(x) return (string.unpack("f", string.pack("f", x))) end},
  float16 = {round = rounder(11, -14, 65504.0, math.huge)}, bfloat16 = {round = rounder(8, -126, 0x1.fep127, math.huge)},
  float8_e5m2 = {round = rounder(3, -14, 57344.0, 57344.0)}, float8_e4m3fn = {round = rounder(4, -6, 448.0, 448.0)},
}
M.order = {"int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float64", "float32", "float16", "bfloat16",
  "float8_e5m2", "float8_e4m3fn"}
M.types = types

local function real(v, t) -- an integer's value, or a double beside it that rounds to narrower floats as it does
  if not types[t].int then return v end
  local high = t == "uint64" and v < 0
  if not high and v >= -(1 << 53) and v <= 1 << 53 then return v + 0.0 end
  if high then return ((v >> 11) + 0.0 + ((v & 2047) ~= 0 and 0.5 or 0.0)) * 2048.0 end
  local odd = v & 2047 ~= 0 and 1 or 0
  return (v // 2048 * 2 + odd + 0.0) * 1024.0
end

local function to_double(v, t)
  if t == "uint64" and v < 0 then return ((v >> 1 | v & 1) + 0.0) * 2.0 end
  return types[t].int and v + 0.0 or v
end

function M.cast(v, from, to)
  local a, b = types[from], types[to]
  if b.int then
    if a.int then return b.round(v) end
    if v ~= v then return 0 end
    if b.bits < 32 then return b.round(M.cast(v, from, b.signed and "int32" or "uint32")) end
    if v >= b.over then return b.most end
    if v <= b.lo then return b.signed and b.round(math.mininteger >> (64 - b.bits)) or 0 end
    local whole = v < 0 and math.ceil(v) or math.floor(v)
    return math.type(whole) == "integer" and whole or math.tointeger(whole - 2.0 ^ 63) + math.mininteger
  end
  if to == "float64" then return to_double(v, from) end
  return b.round(real(v, from))
end

-- Operations --------------------------------------------------------------------------------------

local function signed_as(v, x) -- a zero with x's sign
  return v == 0 and (x < 0 or 1 / x < 0) and -0.0 or v
end

local function whole(f)
  return function(x)
    if x ~= x or x >= 2.0 ^ 52 or x <= -2.0 ^ 52 then return x end
    return signed_as(f(x) + 0.0, x)
  end
end

local function floormod(a, b)
  local r = math.fmod(a, b)
  if r ~= r then return r end
  if r == 0 then return signed_as(0.0, b) end
  return (r < 0) ~= (b < 0) and r + b or r
end

local floats = {
  {"(%s + %s)", function(a, b) return a + b end, sum = true}, {"(%s - %s)", function(a, b) return a - b end, sum = true},
  {"(%s * %s)", function(a, b) return a * b end, product = true}, {"(%s / %s)", function(a, b) return a / b end},
  {"(%s %% %s)", floormod},
  {"(%s // %s)", function(a, b, t) return whole(math.floor)(types[t == "float64" and t or "float32"].round(a / b)) end},
  {"T.min(%s, %s)", function(a, b) return (a < b or b ~= b) and a or b end},
  {"T.max(%s, %s)", function(a, b) return (a > b or b ~= b) and a or b end},
  {"(-%s)", function(a) return -a end, passes = true}, {"T.abs(%s)", function(a) return math.abs(a) end, passes = true},
  {"T.floor(%s)", whole(math.floor)}, {"T.ceil(%s)", whole(math.ceil)},
  {"T.trunc(%s)", whole(function(x) return x < 0 and math.ceil(x) or math.floor(x) end)},
  {"T.sqrt(%s)", function(a) return a < 0 and 0 / 0 or a == 0 and a or a ^ 0.5 end, wide = true},
}

local function less(t)
  return t == "uint64" and math.ult or function(a, b) return a < b end
end

local ints = {
  {"(%s + %s)", function(a, b) return a + b end}, {"(%s - %s)", function(a, b) return a - b end},
  {"(%s * %s)", function(a, b) return a * b end}, {"(%s & %s)", function(a, b) return a & b end},
  {"(%s | %s)", function(a, b) return a | b end}, {"T.bitwise_xor(%s, %s)", function(a, b) return a ~ b end},
  {"T.min(%s, %s)", function(a, b, t) return less(t)(a, b) and a or b end},
  {"T.max(%s, %s)", function(a, b, t) return less(t)(b, a) and a or b end},
  {"T.bitwise_not(%s)", function(a) return ~a end},
  {"T.abs(%s)", function(a, _, t) return types[t].signed and a < 0 and -a or a end},
}

local tests = {
  {"%s < %s", function(a, b, t) return less(t)(a, b) end}, {"%s <= %s", function(a, b, t) return a == b or less(t)(a, b) end},
  {"%s == %s", function(a, b) return a == b end}, {"%s ~= %s", function(a, b) return a ~= b end},
  {"%s > %s", function(a, b, t) return less(t)(b, a) end},
}

local function slots(text) return select(2, text:gsub("%%s", "")) end

-- Expressions --------------------------------------------------------------------------------------

-- those that a float32, which a number of Lua's is where nothing says more, holds
local constants = {0.0, 0.125, -3.75, 300.0, 2.0 ^ -17, 65519.0, 16777216.0, 3e9, -2.5}

local function leaf(r, t)
  if r:chance(0.15) then
    local v = r:of(constants)
    if not types[t].int or r:chance(0.5) then
      return {text = ("T.cast(%s, %q)"):format(v, t), f = function() return M.cast(v, "float64", t) end, constant = true}
    end
  end
  return {text = ("X_%s[i]"):format(t), f = function(row) return row[t] end}
end

local function cast(r, t, depth)
  local from = r:of(M.order)
  local e = M.new(r, from, depth - 1)
  if from == t then return e end
  return {text = ("T.cast(%s, %q)"):format(e.text, t), f = function(row) return M.cast(e.f(row), from, t) end}
end

local function test(r, depth) -- a condition
  local t = r:of(M.order)
  local a = M.new(r, t, depth - 1)
  if r:chance(0.15) then
    return ("T.cast(%s, \"bool\")"):format(a.text), function(row) return a.f(row) ~= 0 end
  end
  local op, b = r:of(tests), M.new(r, t, depth - 1)
  return op[1]:format(a.text, b.text), function(row) return op[2](a.f(row), b.f(row), t) end
end

local function choice(r, t, depth)
  local text, f = test(r, depth)
  if r:chance(0.3) then
    return {text = ("T.cast(%s, %q)"):format(text, t), f = function(row) return M.cast(f(row) and 1 or 0, "int32", t) end}
  end
  local a, b = M.new(r, t, depth - 1), M.new(r, t, depth - 1)
  return {text = ("T.Select(%s, %s, %s)"):format(text, a.text, b.text), product = a.product or b.product,
    f = function(row) if f(row) then return a.f(row) end return b.f(row) end}
end

local function operation(r, t, depth)
  local k, op = types[t]
  repeat op = r:of(k.int and ints or floats) until not op.wide or t == "float32" or t == "float64"
  local arg = {}
  for i = 1, slots(op[1]) do
    repeat arg[i] = M.new(r, t, depth - 1) until not (op.sum and arg[i].product)
  end
  local a, b, wide = arg[1], arg[2] or {}, t == "float32" or t == "float64"
  return {text = op[1]:format(a.text, b.text), product = wide and (op.product or (op.passes and a.product)),
    f = function(row) return k.round(op[2](a.f(row), b.f and b.f(row), t)) end}
end

function M.new(r, t, depth)
  if depth <= 0 then return leaf(r, t) end
  return ({leaf, cast, cast, cast, choice, operation, operation, operation})[r:int(1, 8)](r, t, depth)
end

-- Elements -----------------------------------------------------------------------------------------

local ends = {0.0, -0.0, 0.1, -0.3, 3.7, -3.7, 0.5, 1.5, 2.5, 255.0, 256.5, -128.6, 65504.0, 65520.0, 65519.0, 447.9, 464.0, 61440.0,
  16777217.0, -2147483649.0, 4294967296.5, 9.3e18, -9.3e18, 1.9e19, 1e300, -1e300, 1e-40, 1e-310, 6e-8, 2.0 ^ -150, 0x1.fffffefp127,
  0x1.00000100000001p0, 0x1.008p0, 1 / 0, -1 / 0, 0 / 0, 7.0, 100.5, 2147483648.0, 1e30}

function M.element(r, t)
  local k = types[t]
  if k.int then
    if r:chance(0.5) then return k.round(r:int(-5, 5)) end
    return k.round(r:bits() >> r:int(0, 63))
  end
  local v = r:chance(0.6) and r:of(ends) or r:int(-4000, 4000) / r:of {8, 1000, 64, 3}
  return k.round(v)
end

function M.same(a, b)
  return (a ~= a and b ~= b) or (a == b and (a ~= 0 or math.type(a) == "integer" or 1 / a == 1 / b))
end

return M
