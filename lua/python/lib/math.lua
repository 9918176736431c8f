-- python/lib/math.lua: Python's module math.

local builtins = require "moontile.python.builtins"
local core = require "moontile.python.core"
local exc = require "moontile.python.exc"
local func = require "moontile.python.func"
local host = require "moontile.host"
local index = require "moontile.python.index"
local iter = require "moontile.python.iter"
local native = require "moontile.python.native"
local number = require "moontile.python.number"
local ops = require "moontile.python.ops"

local M = {pi = math.pi, e = math.exp(1), tau = 2 * math.pi, inf = math.huge, nan = core.nan}

local huge = math.huge

local function float(v)
  if type(v) == "string" or v == core.None then
    exc.fail("TypeError", ("must be real number, not %s"):format(core.typename(v)))
  end
  return builtins.to_float(v)
end

local function integer(v)
  local i = index.integer(v)
  if not i then
    exc.fail("TypeError", ("'%s' object cannot be interpreted as an integer"):format(core.typename(v)))
  end
  return i
end

local function domain()
  exc.fail("ValueError", "math domain error")
end

-- f of a float; a result that is no number or beyond all numbers is an error, as in CPython
local function real(f)
  return function(v)
    local x = float(v)
    local r = f(x)
    if r ~= r and x == x then
      domain()
    elseif (r == huge or r == -huge) and x ~= huge and x ~= -huge then
      exc.fail("OverflowError", "math range error")
    end
    return r
  end
end

local function positive(f)
  return function(v)
    local x = float(v)
    return x <= 0 and domain() or f(x)
  end
end

local function rounded(f, name)
  return function(v)
    local method = core.user_special(v, name)
    if method then
      return func.call(method, v)
    elseif math.type(v) == "integer" then
      return v
    end
    local x = float(v)
    if x ~= x or x == huge or x == -huge then
      return number.truncate(x)
    end
    return number.truncate(f(x) + 0.0)
  end
end

local function gcd(a, b)
  a, b = math.abs(a), math.abs(b)
  while b ~= 0 do
    a, b = b, a % b
  end
  return a
end

local function fold(f, start)
  return function(_, ...)
    local r = start
    for i = 1, select("#", ...) do
      r = f(r, integer((select(i, ...))))
    end
    return r
  end
end

local function log(x, base)
  x = float(x)
  if x <= 0 then
    domain()
  elseif base == nil then
    return math.log(x)
  end
  local b = float(base)
  if b <= 0 then
    domain()
  elseif b == 1 then
    exc.fail("ZeroDivisionError", "float division by zero")
  end
  return math.log(x) / math.log(b)
end

local function log2(x)
  local m = math.log(x, 2)
  local near = math.floor(m + 0.5)
  return 2.0 ^ near == x and near + 0.0 or m
end

local function isqrt(n)
  n = integer(n)
  if n < 0 then
    exc.fail("ValueError", "isqrt() argument must be nonnegative")
  end
  local r = math.floor(math.sqrt(n))
  while r * r > n do
    r = r - 1
  end
  while (r + 1) * (r + 1) <= n do
    r = r + 1
  end
  return math.tointeger(r)
end

local function factorial(n)
  n = integer(n)
  if n < 0 then
    exc.fail("ValueError", "factorial() not defined for negative values")
  end
  local r = 1
  for i = 2, n do
    r = ops.mul(r, i)
  end
  return r
end

local function not_negative(n, k)
  if n < 0 then
    exc.fail("ValueError", "n must be a non-negative integer")
  elseif k < 0 then
    exc.fail("ValueError", "k must be a non-negative integer")
  end
end

local function comb(n, k)
  n, k = integer(n), integer(k)
  not_negative(n, k)
  if k > n then
    return 0
  end
  local r = 1
  for i = 1, math.min(k, n - k) do
    r = ops.mul(r, n - i + 1) // i
  end
  return r
end

local function perm(n, k)
  if k == nil or k == core.None then
    return factorial(n)
  end
  n, k = integer(n), integer(k)
  not_negative(n, k)
  if k > n then
    return 0
  end
  local r = 1
  for i = 0, k - 1 do
    r = ops.mul(r, n - i)
  end
  return r
end

local function isclose(a, b, rel, abs)
  a, b = float(a), float(b)
  if a == b then
    return true
  elseif a == huge or b == huge or a == -huge or b == -huge then
    return false
  end
  return math.abs(a - b) <= math.max((rel or 1e-9) * math.max(math.abs(a), math.abs(b)), abs or 0.0)
end

-- The exact sum of partials, which do not overlap and grow, rounded once, ties to even.
local function rounded_once(partials)
  local n = #partials
  local hi, lo = partials[n] or 0.0, 0.0
  while n > 1 do
    local x, y = hi, partials[n - 1]
    n = n - 1
    hi = x + y
    lo = y - (hi - x)
    if lo ~= 0 then break end
  end
  local below = partials[n - 1]
  if n > 1 and (lo < 0 and below < 0 or lo > 0 and below > 0) then -- just above or below a tie
    local y = lo * 2
    local x = hi + y
    hi = x - hi == y and x or hi
  end
  return hi
end

-- A sum without the errors of its parts (Shewchuk's).
local function fsum(v)
  local partials, special, infinite = {}, nil, 0.0
  for item in iter.iter(v) do
    local x, n = float(item), 0
    if x - x ~= 0 then -- no number: what a plain sum of these gives
      special, infinite = (special or 0.0) + x, x == x and infinite + x or infinite
      goto continue
    end
    for _, y in ipairs(partials) do
      if math.abs(x) < math.abs(y) then
        x, y = y, x
      end
      local hi = x + y
      local lo = y - (hi - x)
      if lo ~= 0 then
        n = n + 1
        partials[n] = lo
      end
      x = hi
    end
    if x - x ~= 0 then
      exc.fail("OverflowError", "intermediate overflow in fsum")
    end
    n = x ~= 0 and n + 1 or n
    partials[n] = x ~= 0 and x or partials[n]
    for i = n + 1, #partials do
      partials[i] = nil
    end
    ::continue::
  end
  if infinite ~= infinite then
    exc.fail("ValueError", "-inf + inf in fsum")
  end
  return special or rounded_once(partials)
end

local function frexp(v)
  local x = float(v)
  if x == 0 or x ~= x or x == huge or x == -huge then
    return core.pack(x, 0)
  end
  local e = math.floor(math.log(math.abs(x), 2)) + 1
  local m = x / 2.0 ^ e
  if math.abs(m) >= 1 then
    m, e = m / 2, e + 1
  elseif math.abs(m) < 0.5 then
    m, e = m * 2, e - 1
  end
  return core.pack(m, math.tointeger(e))
end

-- x * x as two floats: rounded, and what rounding took away (Dekker's product).
local function squared(x)
  local c = x * 134217729.0
  local high = c - (c - x)
  local low = x - high
  local p = x * x
  return p, ((high * high - p) + 2 * high * low) + low * low
end

-- The root of a sum of squares, of which nothing is lost but by the last rounding.
local function length(list)
  local most = 0.0
  for i, x in ipairs(list) do
    list[i] = math.abs(x)
    most = list[i] > most and list[i] or most
  end
  for _, x in ipairs(list) do
    if x == huge then
      return huge
    end
  end
  for _, x in ipairs(list) do
    if x ~= x then
      return x
    end
  end
  if most == 0 or #list == 1 then
    return most
  end
  local scale = 2.0 ^ math.floor(math.log(most, 2))
  local sum, rest = 0.0, 0.0
  for _, x in ipairs(list) do
    local p, q = squared(x / scale)
    local before = sum
    sum = sum + p
    rest = rest + (math.abs(before) >= p and (before - sum) + p or (p - sum) + before) + q
  end
  local h = math.sqrt(sum + rest)
  local p, q = squared(h)
  return (h + (((sum - p) + rest) - q) / (2 * h)) * scale
end

local function hypot(_, ...)
  local list = {}
  for i = 1, select("#", ...) do
    list[i] = float((select(i, ...)))
  end
  return length(list)
end

local function prod(v, start)
  local r = start == nil and 1 or start
  for x in iter.iter(v) do
    r = ops.mul(r, x)
  end
  return r
end

local function pow(a, b)
  a, b = float(a), float(b)
  if a < 0 and b ~= math.floor(b) or a == 0 and b < 0 then
    domain()
  end
  return ops.pow(a, b)
end

native.functions(M, {
  ["sqrt(x)"] = real(math.sqrt), ["exp(x)"] = real(math.exp), ["log(x, base?)"] = log, ["log2(x)"] = positive(log2),
  ["log10(x)"] = positive(function(x) return math.log(x, 10) end),
  ["sin(x)"] = real(math.sin), ["cos(x)"] = real(math.cos), ["tan(x)"] = real(math.tan),
  ["asin(x)"] = real(math.asin), ["acos(x)"] = real(math.acos), ["atan(x)"] = real(math.atan),
  ["atan2(y, x)"] = function(y, x) return math.atan(float(y), float(x)) end,
  ["degrees(x)"] = function(x) return float(x) * (180.0 / math.pi) end,
  ["radians(x)"] = function(x) return float(x) * (math.pi / 180.0) end,
  ["floor(x)"] = rounded(math.floor, "__floor__"), ["ceil(x)"] = rounded(math.ceil, "__ceil__"),
  ["trunc(x)"] = rounded(function(x) return x < 0 and math.ceil(x) or math.floor(x) end, "__trunc__"),
  ["fabs(x)"] = function(x) return math.abs(float(x)) end,
  ["remainder(x, y)"] = function(x, y)
    x, y = float(x), float(y)
    if y == 0 or x == math.huge or x == -math.huge then
      return x == x and domain() or x
    elseif y == math.huge or y == -math.huge then
      return y == y and x or y
    end
    local size = math.abs(y)
    local r = math.fmod(x, size)
    local twice = math.abs(r) * 2
    if twice > size or twice == size and math.fmod((x - r) / size, 2) ~= 0 then
      r = r > 0 and r - size or r + size
    end
    return r == 0 and (x < 0 or 1 / x < 0) and -0.0 or r
  end,
  ["fmod(x, y)"] = function(x, y) return float(y) == 0 and domain() or math.fmod(float(x), float(y)) end,
  ["modf(x)"] = function(x)
    x = float(x)
    local w = x < 0 and math.ceil(x) or math.floor(x)
    return core.pack(x - w, w + 0.0)
  end,
  ["copysign(x, y)"] = function(x, y) return host.libm("copysign", float(x), float(y)) end,
  ["isnan(x)"] = function(x) return float(x) ~= float(x) end,
  ["isinf(x)"] = function(x) return math.abs(float(x)) == huge end,
  ["isfinite(x)"] = function(x) return float(x) - float(x) == 0 end,
  ["isqrt(n)"] = isqrt, ["factorial(n)"] = factorial, ["comb(n, k)"] = comb, ["perm(n, k?)"] = perm,
  ["pow(x, y)"] = pow, ["fsum(seq)"] = fsum, ["prod(iterable, start?)"] = prod, ["frexp(x)"] = frexp,
  ["ldexp(x, i)"] = function(x, i) return float(x) * 2.0 ^ i end,
  ["isclose(a, b, *, rel_tol, abs_tol)"] = isclose,
  ["dist(p, q)"] = function(p, q)
    local list, a, b = {}, iter.list(p), iter.list(q)
    if a.n ~= b.n then
      exc.fail("ValueError", "both points must have the same number of dimensions")
    end
    for i = 1, a.n do
      list[i] = float(a[i]) - float(b[i])
    end
    return length(list)
  end,
})
for name in ("expm1 log1p sinh cosh tanh asinh acosh atanh erf erfc cbrt exp2"):gmatch "%S+" do
  M[name] = native.make(name, "x", real(function(x) return host.libm(name, x) end))
end
M.gcd = native.make("gcd", "**", fold(gcd, 0))
M.lcm = native.make("lcm", "**", fold(function(a, b)
  return a == 0 and 0 or b == 0 and 0 or math.abs(a // gcd(a, b) * b)
end, 1))
M.hypot = native.make("hypot", "**", hypot)

return M
