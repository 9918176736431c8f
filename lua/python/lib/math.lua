-- python/lib/math.lua: Python's module math.

local builtins = require "moontile.python.builtins"
local core = require "moontile.python.core"
local exc = require "moontile.python.exc"
local func = require "moontile.python.func"
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

local function comb(n, k)
  n, k = integer(n), integer(k)
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
  local r = 1
  for i = 0, (k == nil and n or k) - 1 do
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

-- A sum without the errors of its parts (Shewchuk's).
local function fsum(v)
  local partials = {}
  for item in iter.iter(v) do
    local x, n = float(item), 0
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
    partials[n + 1] = x
    for i = n + 2, #partials do
      partials[i] = nil
    end
  end
  local r = 0.0
  for i = #partials, 1, -1 do
    r = r + partials[i]
  end
  return r
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

-- erf, by its series and its continued fraction
local function erfc_far(x)
  local f = 0.0
  for k = 60, 1, -1 do
    f = k / 2 / (x + f)
  end
  return math.exp(-x * x) / math.sqrt(math.pi) / (x + f)
end

local function erf(x)
  local a = math.abs(x)
  if a > 2.5 then
    return x > 0 and 1 - erfc_far(a) or erfc_far(a) - 1
  end
  local sum, term, n = a, a, 0
  repeat
    n = n + 1
    term = -term * a * a / n
    sum = sum + term / (2 * n + 1)
  until math.abs(term) < 1e-18
  return (x < 0 and -1 or 1) * 2 / math.sqrt(math.pi) * sum
end

local function hypot(_, ...)
  local s = 0.0
  for i = 1, select("#", ...) do
    local x = float((select(i, ...)))
    s = s + x * x
  end
  return math.sqrt(s)
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

local exp = math.exp
native.functions(M, {
  ["sqrt(x)"] = real(math.sqrt), ["exp(x)"] = real(math.exp), ["log(x, base?)"] = log, ["log2(x)"] = positive(log2),
  ["log10(x)"] = positive(function(x) return math.log(x, 10) end),
  ["log1p(x)"] = real(function(x) return math.abs(x) < 1e-5 and x - x * x / 2 + x * x * x / 3 or math.log(1 + x) end),
  ["expm1(x)"] = real(function(x) return math.abs(x) < 1e-5 and x + x * x / 2 + x * x * x / 6 or exp(x) - 1 end),
  ["sin(x)"] = real(math.sin), ["cos(x)"] = real(math.cos), ["tan(x)"] = real(math.tan),
  ["asin(x)"] = real(math.asin), ["acos(x)"] = real(math.acos), ["atan(x)"] = real(math.atan),
  ["atan2(y, x)"] = function(y, x) return math.atan(float(y), float(x)) end,
  ["sinh(x)"] = real(function(x) return (exp(x) - exp(-x)) / 2 end),
  ["cosh(x)"] = real(function(x) return (exp(x) + exp(-x)) / 2 end),
  ["tanh(x)"] = real(function(x)
    local t = exp(-2 * math.abs(x))
    return (x < 0 and -1 or 1) * (1 - t) / (1 + t)
  end),
  ["erf(x)"] = real(erf), ["erfc(x)"] = real(function(x) return x > 2.5 and erfc_far(x) or 1 - erf(x) end),
  ["degrees(x)"] = function(x) return float(x) * 180 / math.pi end,
  ["radians(x)"] = function(x) return float(x) * math.pi / 180 end,
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
  ["copysign(x, y)"] = function(x, y)
    x, y = math.abs(float(x)), float(y)
    return (y < 0 or y == 0 and 1 / y < 0) and -x or x
  end,
  ["isnan(x)"] = function(x) return float(x) ~= float(x) end,
  ["isinf(x)"] = function(x) return math.abs(float(x)) == huge end,
  ["isfinite(x)"] = function(x) return float(x) - float(x) == 0 end,
  ["isqrt(n)"] = isqrt, ["factorial(n)"] = factorial, ["comb(n, k)"] = comb, ["perm(n, k?)"] = perm,
  ["pow(x, y)"] = pow, ["fsum(seq)"] = fsum, ["prod(iterable, start?)"] = prod, ["frexp(x)"] = frexp,
  ["ldexp(x, i)"] = function(x, i) return float(x) * 2.0 ^ i end,
  ["isclose(a, b, *, rel_tol, abs_tol)"] = isclose,
  ["dist(p, q)"] = function(p, q)
    local s, a, b = 0.0, iter.list(p), iter.list(q)
    for i = 1, a.n do
      s = s + (float(a[i]) - float(b[i])) ^ 2
    end
    return math.sqrt(s)
  end,
})
M.gcd = native.make("gcd", "**", fold(gcd, 0))
M.lcm = native.make("lcm", "**", fold(function(a, b)
  return a == 0 and 0 or b == 0 and 0 or math.abs(a // gcd(a, b) * b)
end, 1))
M.hypot = native.make("hypot", "**", hypot)

return M
