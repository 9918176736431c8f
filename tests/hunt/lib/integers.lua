-- integers.lua: random expressions over integers at the ends of their types, in one kernel by the hundred.
--
-- An expression is {t = type, text = , f = a function of the lane, [..] = its operands}: f is the yardstick, in plain
-- Lua by the language's rules.  Operands of two types become one: the wider, of equal widths the unsigned one; a number of
-- Lua's is an int32 or int64, beside bitwise operators of the other side's type where that holds it; 4 bits and bool are
-- computed in int32, an int4 beside a uint4 as the uint4 that it becomes.
-- After each operation the value wraps to its type.  A quotient of the least number by -1 wraps; shifts by the width and
-- more, or by less than 0, leave 0 or the sign.  Values of uint64 are held as Lua holds them: beyond the half negative.
local random = require "hunt.random"
local M = {}

local types, order = {}, {"int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "int4", "uint4"}
for _, name in ipairs(order) do
  local kind, bits = name:match "^(u?int)(%d+)$"
  local t = {name = name, bits = tonumber(bits), unsigned = kind == "uint"}
  t.lo = t.unsigned and 0 or t.bits == 64 and math.mininteger or -(1 << t.bits - 1)
  t.hi = t.bits == 64 and (t.unsigned and -1 or math.maxinteger) or (1 << (t.unsigned and t.bits or t.bits - 1)) - 1
  types[name] = t
end
M.types, M.order = types, order

local bool = {name = "bool", bits = 1, unsigned = true, lo = 0, hi = 1}
types.bool = bool

local function wrap(t, v)
  if t.bits == 64 then return v end
  local mask = (1 << t.bits) - 1
  v = v & mask
  if not t.unsigned and v > t.hi then v = v - mask - 1 end
  return v
end
M.wrap = wrap

local function less(t, a, b)
  if t.unsigned and t.bits == 64 then return math.ult(a, b) end
  return a < b
end

-- promotion -------------------------------------------------------------------------------

local function whole(t) return t.bits < 8 and types.int32 or t end

local function promote(a, b)
  if a == bool then return b end
  if b == bool then return a end
  if a.bits ~= b.bits then return a.bits > b.bits and a or b end
  return a.unsigned and a or b
end

local function holds(t, v)
  if t.bits == 64 and t.unsigned then return v >= 0 end
  return t ~= bool and t.lo <= v and v <= t.hi
end

local bitwise = {["&"] = true, ["|"] = true, ["~"] = true, ["<<"] = true, [">>"] = true}

-- The type that number v of Lua's has beside a value of type t.
local function literal_type(t, v, op)
  local bit = v == 0 or v == 1
  if bitwise[op] and (t == bool and bit or t ~= bool and (holds(t, v) or t.unsigned and v < 0)) then return t end
  return holds(types.int32, v) and types.int32 or types.int64
end

-- operators of type t -----------------------------------------------------------------------

local function divide(t, a, b)            -- towards zero
  if t.unsigned and t.bits == 64 then
    if b < 0 then return math.ult(a, b) and 0 or 1 end
    if a >= 0 then return a // b end
    local q = ((a >> 1) // b) << 1
    return math.ult(a - q * b, b) and q or q + 1
  end
  local q = a // b
  return q * b ~= a and (a < 0) ~= (b < 0) and q + 1 or q
end

local function floordiv(t, a, b)
  if t.unsigned then return divide(t, a, b) end
  return a // b
end

local operators = {
  ["+"] = function(_, a, b) return a + b end,
  ["-"] = function(_, a, b) return a - b end,
  ["*"] = function(_, a, b) return a * b end,
  ["&"] = function(_, a, b) return a & b end,
  ["|"] = function(_, a, b) return a | b end,
  ["~"] = function(_, a, b) return a ~ b end,
  ["T.min"] = function(t, a, b) return less(t, b, a) and b or a end,
  ["T.max"] = function(t, a, b) return less(t, a, b) and b or a end,
  ["//"] = floordiv,
  ["%"] = function(t, a, b) return a - floordiv(t, a, b) * b end,
  ["T.truncdiv"] = divide,
  ["T.truncmod"] = function(t, a, b) return a - divide(t, a, b) * b end,
  ["<<"] = function(t, a, n)
    if n < 0 or n >= t.bits then return 0 end
    return a << n
  end,
  [">>"] = function(t, a, n)
    if n < 0 or n >= t.bits then return not t.unsigned and a < 0 and -1 or 0 end
    if t.unsigned then return a >> n end
    return a < 0 and ~(~a >> n) or a >> n
  end,
}

local compare = {
  ["<"] = less,
  ["<="] = function(t, a, b) return not less(t, b, a) end,
  [">"] = function(t, a, b) return less(t, b, a) end,
  [">="] = function(t, a, b) return not less(t, a, b) end,
  ["=="] = function(_, a, b) return a == b end,
  ["~="] = function(_, a, b) return a ~= b end,
}

local function count(t, a, clz)
  local n = 0
  for i = t.bits - 1, 0, -1 do
    local one = a >> i & 1
    if clz and one == 1 then return n end
    n = n + (clz and 1 or one)
  end
  return n
end

-- expressions -------------------------------------------------------------------------------

local function node(t, text, f, ...) return {t = t, text = text, f = f, ...} end

local function as(t, e)
  local f = e.f
  return function(i) return wrap(t, f(i)) end
end

-- e as a value of type p, the common one, in the type t that it is computed in.
local function through(p, t, e) return as(t, {f = as(p, e)}) end

local function spell(v)
  return v == math.mininteger and "math.mininteger" or tostring(v)
end

local function written(op, a, b)
  return op:find "^T" and ("%s(%s, %s)"):format(op, a, b) or ("(%s %s %s)"):format(a, op, b)
end

local function number(v) return {v = v, text = spell(v), f = function() return v end} end

-- a op b, of which one may be a number of Lua's.
local function binary(op, a, b)
  local ta, tb = a.t or literal_type(b.t, a.v, op), b.t or literal_type(a.t, b.v, op)
  local p = promote(ta, tb)
  local t, f = whole(p), operators[op] or compare[op]
  local x, y = through(p, t, a), through(p, t, b)
  local text = written(op, a.text, b.text)
  if compare[op] then
    return node(bool, text, function(i) return f(t, x(i), y(i)) and 1 or 0 end, a, b)
  end
  return node(t, text, function(i) return wrap(t, f(t, x(i), y(i))) end, a, b)
end

-- (a + b - 1) // b, where the 1 has the type of a + b
local function ceildiv(a, b)
  local sum, one = binary("+", a, b), number(1)
  one.t = sum.t
  local e = binary("//", binary("-", sum, one), b)
  return node(e.t, written("T.ceildiv", a.text, b.text), e.f, a, b)
end

local function shifted(op, a, n)
  local p = promote(a.t, n.t or literal_type(a.t, n.v, op))
  local t, f = whole(p), operators[op]
  local x, y = through(p, t, a), through(p, t, n)
  local text = op == "<<" and n.named and "T.shift_left" or op == ">>" and n.named and "T.shift_right" or op
  return node(t, written(text, a.text, n.text), function(i) return wrap(t, f(t, x(i), y(i))) end, a, n)
end

-- A generator: r random numbers, `leaf` makes a value of memory.
local G = {}
G.__index = G

local function end_of(r, t)
  local k = r:int(1, 10)
  local v = k == 1 and t.lo or k == 2 and t.lo + 1 or k == 3 and t.hi or k == 4 and t.hi - 1 or k == 5 and 0 or k == 6 and 1 or
            k == 7 and -1 or k == 8 and r:int(-4, 4) or k == 9 and (1 << r:int(0, t.bits - 1)) + r:int(-1, 1) or r:bits()
  return wrap(t, v)
end
M.end_of = end_of

function G:leaf()
  local r = self.r
  local t = types[order[r:int(1, self.kinds)]]
  if r:chance(0.06) then -- a number with a type of its own
    local v = end_of(r, t)
    return node(t, ("T.cast(%s, %q)"):format(spell(v), t.name), function() return v end)
  end
  return self.load(t, r:int(0, self.rows - 1))
end

function G:cast(e, t)
  local how = self.r:int(1, 4)
  local name = t.name
  if how == 4 and e.t ~= bool and e.t.bits == t.bits then
    return node(t, ("T.reinterpret(%s, %q)"):format(e.text, name), as(t, e), e)
  end
  local text = how == 1 and ("T.cast(%s, %q)"):format(e.text, name) or how == 2 and ("(%s):astype(%q)"):format(e.text, name) or
               ("T.%s(%s)"):format(name, e.text)
  if name == "uint4" and how >= 3 then text = ("T.cast(%s, \"uint4\")"):format(e.text) end -- there is no T.uint4
  return node(t, text, as(t, e), e)
end

function G:condition(depth)
  local r = self.r
  local k = r:int(1, 6)
  if depth <= 0 or k <= 4 then
    return self:compared(depth)
  end
  local a, b = self:condition(depth - 1), self:condition(depth - 1)
  local x, y = a.f, b.f
  if k == 5 then
    return node(bool, ("T.And(%s, %s)"):format(a.text, b.text), function(i) return x(i) & y(i) end, a, b)
  end
  return node(bool, ("T.Not(T.Or(%s, %s))"):format(a.text, b.text), function(i) return 1 - (x(i) | y(i)) end, a, b)
end

-- An operand: seldom a number of Lua's.
function G:operand(depth, other)
  local r = self.r
  if other and r:chance(0.3) then
    local t = r:chance(0.7) and other.t ~= bool and other.t or types[r:of(order)]
    return number(end_of(r, t))
  end
  return self:expr(depth)
end

function G:pair(depth)
  local a = self:expr(depth)
  local b = self:operand(depth, a)
  if self.r:chance(0.4) then a, b = b, a end
  return a, b
end

function G:compared(depth)
  local a, b = self:pair(depth - 1)
  return binary(self.r:of {"<", "<=", ">", ">=", "==", "~="}, a, b)
end

function G:divided(depth)
  local r = self.r
  local op = r:of {"//", "%", "T.truncdiv", "T.truncmod", "//", "%", "T.ceildiv"}
  local a, b = self:expr(depth - 1), nil
  if r:chance(0.5) then
    local v
    repeat
      v = r:chance(0.4) and r:of {2, 3, 4, 8, 16, 64, 128, -1, -2, 7, 255} or self:operand(0, {t = a.t}).v or 0
      local t = whole(promote(a.t, literal_type(a.t, v)))
    until wrap(t, v) ~= 0
    b = number(v)
  else
    b = self:expr(depth - 1)
    local t = whole(promote(a.t, b.t))
    b = b.t.bits == t.bits and b.t ~= bool and b or self:cast(b, t)
    b = binary("|", b, number(1))
  end
  return op == "T.ceildiv" and ceildiv(a, b) or binary(op, a, b)
end

function G:shift(depth)
  local r, op = self.r, self.r:of {"<<", ">>"}
  local a = self:expr(depth - 1)
  local t = whole(a.t == bool and types.int32 or a.t)
  local n
  if r:chance(0.5) then
    n = number(r:chance(0.4) and r:of {0, 1, t.bits - 1} or r:int(0, t.bits - 1))
  else
    n = self.load(types[order[r:int(1, self.kinds)]], r:int(0, self.rows - 1)) -- of no number beyond the width: an error
    if r:chance(0.6) then n = binary("&", n, number(r:of {7, 15, 31, 63})) end
  end
  n.named = r:chance(0.2)
  return shifted(op, a, n)
end

function G:choice(depth)
  local r = self.r
  local c = self:condition(depth - 1)
  local a, b = self:pair(depth - 1)
  local ta, tb = a.t or literal_type(b.t, a.v), b.t or literal_type(a.t, b.v)
  local p = promote(ta, tb)
  local t = ta == tb and ta or whole(p)
  local x, y, k = through(p, t, a), through(p, t, b), c.f
  local form = r:int(1, 3)
  local text = form == 1 and "T.if_then_else(%s, %s, %s)" or form == 2 and "T.Select(%s, %s, %s)" or "(%s and %s or %s)"
  return node(t, text:format(c.text, a.text, b.text), function(i) return k(i) ~= 0 and x(i) or y(i) end, c, a, b)
end

function G:unary(depth)
  local r = self.r
  local a = self:expr(depth - 1)
  local t, x = whole(a.t == bool and types.int32 or a.t), nil
  x = as(t, a)
  local k = r:int(1, 6)
  if k == 1 or k == 2 then
    return node(t, ("-(%s)"):format(a.text), function(i) return wrap(t, -x(i)) end, a)
  elseif k == 3 then
    return node(t, ("T.abs(%s)"):format(a.text), function(i)
      local v = x(i)
      return not t.unsigned and v < 0 and wrap(t, -v) or v
    end, a)
  elseif k == 4 then
    return node(t, ("~(%s)"):format(a.text), function(i) return wrap(t, ~x(i)) end, a)
  end
  local clz = k == 5
  return node(t, ("T.%s(%s)"):format(clz and "clz" or "popcount", a.text), function(i) return count(t, x(i), clz) end, a)
end

function G:clamped(depth)
  local a = self:expr(depth - 1)
  local t = a.t == bool and types.int32 or a.t
  local lo, hi = end_of(self.r, t), end_of(self.r, t)
  local e = binary("T.min", binary("T.max", a, number(lo)), number(hi))
  e.text = ("T.clamp(%s, %s, %s)"):format(a.text, spell(lo), spell(hi))
  e[1], e[2] = a, nil
  return e
end

function G:power(depth)
  local a, n = self:expr(depth - 1), self.r:int(1, 5)
  local e = a
  if n == 1 then return a end
  -- by squaring: which products wrap is no matter
  local t = whole(a.t == bool and types.int32 or a.t)
  local x = as(t, a)
  e = node(t, ("T.pow(%s, %d)"):format(a.text, n), function(i)
    local v = 1
    for _ = 1, n do v = wrap(t, v * x(i)) end
    return v
  end, a)
  return e
end

function G:expr(depth)
  local r = self.r
  if depth <= 0 then return self:leaf() end
  local k = r:int(1, 20)
  if k <= 5 then
    local a, b = self:pair(depth - 1)
    return binary(r:of {"+", "-", "*"}, a, b)
  elseif k <= 8 then
    local a = self:expr(depth - 1)
    return self:cast(a, types[r:of(order)])
  elseif k <= 10 then return self:divided(depth)
  elseif k <= 12 then return self:shift(depth)
  elseif k == 13 then
    local a, b = self:pair(depth - 1)
    return binary(r:of {"T.min", "T.max"}, a, b)
  elseif k == 14 then
    local a, b = self:pair(depth - 1)
    return binary(r:of {"&", "|", "~"}, a, b)
  elseif k == 15 then return self:choice(depth)
  elseif k == 16 then return self:cast(self:condition(depth), types[r:of(order)])
  elseif k == 17 then return self:clamped(depth)
  elseif k == 18 then return self:power(depth)
  end
  return self:unary(depth)
end

function M.generator(seed, kinds, rows, load)
  return setmetatable({r = random.new(seed), kinds = kinds, rows = rows, load = load}, G)
end

M.node, M.as, M.binary, M.shifted, M.number, M.bool = node, as, binary, shifted, number, bool
return M
