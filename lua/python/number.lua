-- python/number.lua: numbers as Python reads and writes them.

local core = require "moontile.python.core"
local exc = require "moontile.python.exc"

local M = {}

local mtype, tonumber = math.type, tonumber
local huge = math.huge
local smallest = 2.2250738585072014e-308 -- below it, numbers have fewer digits

-- Digits of a positive finite x in the shortest form that reads back as x, and its decimal
-- exponent: 0.25 -> "25", -1
local function shortest(x)
  for n = x < smallest and 0 or 14, 16 do
    local s = ("%%.%de"):format(n):format(x)
    if tonumber(s) == x then
      local lead, rest, e = s:match "^(%d)%.?(%d*)e([-+]%d+)$"
      return ((lead .. rest):gsub("0+$", "")), tonumber(e)
    elseif n == 15 then -- at a power of two a neighbour reads back, too
      local lead, rest, e = s:match "^(%d)%.(%d*)e([-+]%d+)$"
      for step = -1, 1, 2 do
        local digits = ("%d"):format(math.tointeger(tonumber(lead .. rest)) + step)
        if #digits == 16 and tonumber(digits:sub(1, 1) .. "." .. digits:sub(2) .. "e" .. e) == x then
          return digits, tonumber(e)
        end
      end
    end
  end
end

-- Digits and exponent in the plain or the exponential form, as repr writes them.
local function laid_out(digits, e)
  if e < -4 or e >= 16 then
    local mantissa = #digits > 1 and digits:sub(1, 1) .. "." .. digits:sub(2) or digits
    return ("%se%s%02d"):format(mantissa, e < 0 and "-" or "+", math.abs(e))
  elseif e < 0 then
    return "0." .. ("0"):rep(-e - 1) .. digits
  elseif #digits <= e + 1 then
    return digits .. ("0"):rep(e + 1 - #digits) .. ".0"
  end
  return digits:sub(1, e + 1) .. "." .. digits:sub(e + 2)
end

-- repr of a float
function M.float_repr(x)
  if x ~= x then
    return "nan"
  elseif x == huge then
    return "inf"
  elseif x == -huge then
    return "-inf"
  elseif x == 0 then
    return 1 / x < 0 and "-0.0" or "0.0"
  elseif x < 0 then
    return "-" .. laid_out(shortest(-x))
  end
  return laid_out(shortest(x))
end

-- Digits and exponent of a positive x, for the format mini-language.
M.shortest = shortest

-- repr of an int or a float
function M.repr(x)
  return mtype(x) == "integer" and ("%d"):format(x) or M.float_repr(x)
end

-- Reading -----------------------------------------------------------------------------------

local prefixes = {[2] = "[bB]", [8] = "[oO]", [16] = "[xX]"}

-- Digits of a base, without underscores, as an integer; nil: they are none; false: too many
local function digits_of(text, base)
  local v = 0
  if text == "" then
    return nil
  end
  for c in text:gmatch "." do
    local d = tonumber(c, 36)
    if not d or d >= base then
      return nil
    elseif v > (math.maxinteger - d) // base then
      v = false
      break
    end
    v = v * base + d
  end
  return v
end

-- The integer that a text says; base 0 asks for its prefix.
function M.parse_int(text, base)
  local s = text:match "^%s*(.-)%s*$"
  local sign, rest = s:match "^([-+]?)(.*)$"
  local of = base
  for b, letter in pairs(prefixes) do
    if (base == 0 or base == b) and rest:find("^0" .. letter) then
      rest, of = rest:sub(3):gsub("^_", ""), b
      break
    end
  end
  local bad = rest:find "^_" or rest:find "_$" or rest:find "__"
    or base == 0 and of == 0 and rest:find "^0" and rest:find "[^0_]"
  local v = nil
  if not bad then
    v = digits_of(rest:gsub("_", ""), of == 0 and 10 or of)
  end
  if v == nil then
    exc.fail("ValueError", ("invalid literal for int() with base %d: %s"):format(base, M.quote(text)))
  elseif v == false then
    M.overflow()
  end
  return sign == "-" and -v or v
end

local words = {inf = huge, infinity = huge, nan = core.nan}

-- The float that a text says.
function M.parse_float(text)
  local s = text:match "^%s*(.-)%s*$"
  local sign, word = s:match "^[-+]?", s:match "^[-+]?(%a+)$"
  if word and words[word:lower()] then
    local v = words[word:lower()]
    return sign == "-" and -v or v
  end
  local plain = s:gsub("(%d)_(%d)", "%1%2"):gsub("(%d)_(%d)", "%1%2")
  if plain:find "^[-+]?%d*%.?%d*[eE]?[-+]?%d*$" and tonumber((plain:gsub("^%+", ""))) then
    local v = tonumber((plain:gsub("^%+", ""))) + 0.0
    return v == 0 and sign == "-" and -0.0 or v
  end
  exc.fail("ValueError", "could not convert string to float: " .. M.quote(text))
end

-- Raises: a result has more than 64 bits.
function M.overflow()
  exc.fail("OverflowError", "moontile's integers have 64 bits")
end

-- A float as an integer, towards zero.
function M.truncate(x)
  if x ~= x then
    exc.fail("ValueError", "cannot convert float NaN to integer")
  elseif x == huge or x == -huge then
    exc.fail("OverflowError", "cannot convert float infinity to integer")
  end
  local v = math.tointeger(x < 0 and math.ceil(x) or math.floor(x))
  return v or M.overflow()
end

-- a / b of positive integers that a float does not hold, rounded once: bits of the quotient, until 63 are there,
-- the last 1 if more follows.
local function long_division(a, b)
  local q, r, e = a // b, a % b, 0
  while q < 1 << 61 and r ~= 0 do
    local twice = r << 1 -- r < b: as unsigned it does not overflow
    local fits = not math.ult(twice, b)
    q, r, e = q << 1 | (fits and 1 or 0), fits and twice - b or twice, e + 1
    if e > 200 then
      break
    end
  end
  if r ~= 0 then
    q = q | 1
  end
  return q * 2.0 ^ -e
end

local exact = 1 << 53

-- a / b of two integers, b not 0.
function M.divide(a, b)
  if a <= exact and a >= -exact and b <= exact and b >= -exact or a == math.mininteger or b == math.mininteger then
    return a / b
  end
  local r = long_division(math.abs(a), math.abs(b))
  return (a < 0) ~= (b < 0) and -r or r
end

-- Banker's rounding of a float to an integer, as a float.
local function even(x)
  local f = math.floor(x)
  local d = x - f
  if d > 0.5 or d == 0.5 and f % 2 == 1 then
    f = f + 1
  end
  return f
end

-- round(x), round(x, n)
function M.round(x, n)
  if mtype(x) == "integer" then
    if n == nil or n >= 0 then
      return x
    end
    local unit = math.tointeger(10 ^ -n)
    if not unit then
      return 0
    end
    local down, rest = x // unit * unit, x % unit
    local up = rest * 2 > unit or rest * 2 == unit and down // unit % 2 == 1
    return up and down + unit or down
  elseif n == nil then
    return M.truncate(x ~= x and x or (x == huge or x == -huge) and x or even(x))
  elseif x ~= x or x == huge or x == -huge or n > 300 then
    return x
  end
  local r
  if n >= 0 then
    r = tonumber(("%%.%df"):format(math.min(n, 99)):format(x)) + 0.0
  else
    local unit = 10.0 ^ -n
    r = even(x / unit) * unit + 0.0
  end
  if r == 0 then
    return (x < 0 or 1 / x < 0) and -0.0 or 0.0
  end
  return r
end

-- quote of a text in messages; set by text.lua
M.quote = nil

return M
