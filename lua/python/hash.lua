-- python/hash.lua: the hashes of CPython 3.11, of values whose hash is the same in each of its processes: numbers,
-- and tuples and frozensets of such.  Texts, None and what is hashed by its address have none: of(v) is nil.

local core = require "moontile.python.core"

local M = {}

local getmt, mtype, type = debug.getmetatable, math.type, type
local PRIME = (1 << 61) - 1

local function of_int(n)
  if n >= PRIME or n <= -PRIME then -- |n| mod PRIME, with n's sign; 2^63 mod PRIME is 4
    n = n == math.mininteger and -4 or n > 0 and n % PRIME or -(-n % PRIME)
  end
  return n == -1 and -2 or n
end

-- A float by its bits: the value m 2^e modulo PRIME, as Python has it.
local function of_float(x)
  local n = math.tointeger(x)
  if n then
    return of_int(n)
  elseif x ~= x then
    return nil -- by the object's address
  elseif x == math.huge or x == -math.huge then
    return x > 0 and 314159 or -314159
  end
  local bits = string.unpack("<i8", string.pack("<d", x))
  local e, m = (bits >> 52) & 0x7ff, bits & 0xfffffffffffff
  if e == 0 then
    e = 1
  else
    m = m | 1 << 52
  end
  local turn = (e - 1075) % 61 -- 2^61 is 1
  local h = (m << turn) & PRIME | m >> (61 - turn)
  h = h == PRIME and 0 or h
  h = x < 0 and -h or h
  return h == -1 and -2 or h
end

local of

local function of_tuple(v)
  local acc = 2870177450012600261
  for i = 1, v.n do
    local h = of(v[i])
    if not h then
      return nil
    end
    acc = acc + h * -4417276706812531889
    acc = (acc << 31 | acc >> 33) * -7046029288634856825
  end
  acc = acc + (v.n ~ 2870177450012600261 ~ 3527539)
  return acc == -1 and 1546275796 or acc
end

local function of_frozenset(s)
  if not s.hashes then
    return nil
  end
  local h = 0
  for i = 1, s.last do
    local x = s.hashes[i]
    if x then
      h = h ~ ((x ~ 89869747) ~ (x << 16)) * 3644798167
    end
  end
  h = h ~ (s.n + 1) * 1927868237
  h = (h ~ h >> 11 ~ h >> 25) * 69069 + 907133923
  return h == -1 and 590923713 or h
end

-- The hash of v, or nil.
function of(v)
  local t = mtype(v)
  if t == "integer" then
    return of_int(v)
  elseif t then
    return of_float(v)
  elseif type(v) == "boolean" then
    return v and 1 or 0
  elseif type(v) ~= "table" then
    return nil
  end
  local mt = getmt(v)
  if not mt or mt.__user and mt.__pyclass.special.__hash__ then
    return nil
  elseif mt.__user and v[core.BOX] ~= nil then
    return of(v[core.BOX])
  elseif mt.__kind == "tuple" then
    return of_tuple(v)
  elseif mt.__kind == "frozenset" then
    return of_frozenset(v)
  end
end
M.of = of

return M
