-- types.lua: the element types of generated programs: their ranges, and what a value becomes in one.
--
-- Integers are Lua integers within the range of their type, booleans are Lua's, floats are doubles that
-- hold a value of the type exactly.
local M = {}

local function int(bits, signed)
  local lo = signed and -(1 << (bits - 1)) or 0
  local hi = signed and (1 << (bits - 1)) - 1 or (bits < 64 and (1 << bits) - 1)
  local mask = bits < 64 and (1 << bits) - 1 or -1
  local half = bits < 64 and 1 << (bits - 1) or 0
  local wrap
  if bits == 64 then
    wrap = function(v) return v end
  elseif signed then
    wrap = function(v) return ((v + half) & mask) - half end
  else
    wrap = function(v) return v & mask end
  end
  return {kind = "int", bits = bits, signed = signed, lo = lo, hi = hi, wrap = wrap}
end

-- Rounding to the nearest of `digits` binary digits, ties to even, least exponent `low`, greatest value `top`.
local function rounder(digits, low, top)
  return function(x)
    if x == 0 or x ~= x or x == math.huge or x == -math.huge then
      return x
    end
    local _, e = string.format("%a", x):match "^(.*)p([+-]?%d+)$"
    e = tonumber(e) // 1 | 0
    local lead = math.abs(x) / 2.0 ^ e        -- %a may lead with any digit
    while lead >= 2 do lead, e = lead / 2, e + 1 end
    while lead < 1 do lead, e = lead * 2, e - 1 end
    local step = 2.0 ^ (math.max(e, low) - (digits - 1))
    local q = x / step
    local f = math.floor(q)
    local d = q - f
    if d > 0.5 or d == 0.5 and f % 2 == 1 then f = f + 1 end
    local v = f * step
    if v > top then return math.huge elseif v < -top then return -math.huge end
    return v
  end
end

-- `whole`: integers up to it are exact; `cap`: the magnitude that generated tiles keep to.
local function float(digits, low, top, cap)
  local round = rounder(digits, low, top)
  local whole = 1 << digits
  return {kind = "float", digits = digits, whole = whole, cap = cap, round = function(x)
    if x >= -whole and x <= whole and x == math.floor(x) then return x + 0.0 end
    return round(x)
  end}
end

M.of = {
  int8 = int(8, true), int16 = int(16, true), int32 = int(32, true), int64 = int(64, true),
  uint8 = int(8, false), uint16 = int(16, false), uint32 = int(32, false),
  float16 = float(11, -14, 65504.0, 64), bfloat16 = float(8, -126, 0x1.fep127, 32),
  float32 = float(24, -126, 0x1.fffffep127, 1024),
  float64 = {kind = "float", digits = 53, whole = 1 << 53, cap = 1024, round = function(x) return x + 0.0 end},
  bool = {kind = "bool"},
}
M.of.float64.whole = 1 << 53

-- The value of type `from` as type `to`: of a float the whole part, within an int32 or uint32 or what is wider,
-- of which narrower types are the last bits; 0 of what is no number.
function M.cast(from, to)
  local f, t = M.of[from], M.of[to]
  if from == to then
    return function(v) return v end
  elseif t.kind == "bool" then
    if f.kind == "bool" then return function(v) return v end end
    return function(v) return v ~= 0 end
  elseif f.kind == "bool" then
    local one, zero = 1, 0
    if t.kind == "float" then one, zero = 1.0, 0.0 end
    return function(v) return v and one or zero end
  elseif t.kind == "int" then
    local wrap, wide = t.wrap, t.bits < 32 and int(32, t.signed) or t
    local lo, hi = wide.lo, wide.hi
    if f.kind == "int" then return wrap end
    return function(v)
      if v ~= v then return 0 end
      return wrap(v <= lo and lo or v >= hi and hi or math.tointeger(v < 0 and math.ceil(v) or math.floor(v)))
    end
  end
  local round = t.round
  return function(v) return round(v + 0.0) end
end

function M.zero(dtype)
  local t = M.of[dtype]
  if t.kind == "bool" then return false end
  return t.kind == "int" and 0 or 0.0
end

return M
