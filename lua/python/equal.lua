-- python/equal.lua: equality, order and hashing of every value.
--
--   eq(a, b), lt(a, b) ..   what == and < give: a boolean, or what a special method or a symbolic
--                           value of a kernel gives
--   same(a, b)              the same as a boolean, for containers
--   key(v)                  what stands for v in the tables of dicts and sets: Lua's own keys
--                           for numbers and texts, a text for tuples, v itself for others

local core = require "moontile.python.core"
local exc = require "moontile.python.exc"
local hash = require "moontile.python.hash"
local stage = require "moontile.stage"

local M = {}

local getmt, mtype, type = debug.getmetatable, math.type, type
local late = core.late
local NotImplemented = core.NotImplemented

-- Equality ----------------------------------------------------------------------------------

local same

local function same_items(a, b)
  if a.n ~= b.n then
    return false
  end
  for i = 1, a.n do
    local x, y = a[i], b[i]
    if not (rawequal(x, y) or same(x, y)) then
      return false
    end
  end
  return true
end

local function same_dicts(a, b)
  if a.n ~= b.n then
    return false
  end
  for i = 1, a.last do
    local k = a.keys[i]
    if k ~= nil then
      local j = b.pos[M.key(k)]
      if not j or not (rawequal(a.vals[i], b.vals[j]) or same(a.vals[i], b.vals[j])) then
        return false
      end
    end
  end
  return true
end

local function same_sets(a, b)
  if a.n ~= b.n then
    return false
  end
  for k in pairs(a.pos) do
    if not b.pos[k] then
      return false
    end
  end
  return true
end

local function range_length(r)
  if r.step > 0 then
    return r.start < r.stop and (r.stop - r.start - 1) // r.step + 1 or 0
  end
  return r.start > r.stop and (r.start - r.stop - 1) // -r.step + 1 or 0
end
M.range_length = range_length

local function same_ranges(a, b)
  local n = range_length(a)
  return n == range_length(b) and (n == 0 or a.start == b.start and (n == 1 or a.step == b.step))
end

local by_kind = {
  list = same_items, tuple = same_items, dict = same_dicts, set = same_sets, frozenset = same_sets,
  range = same_ranges, bytes = function(a, b) return a.s == b.s end,
  slice = function(a, b) return same(a.lo, b.lo) and same(a.hi, b.hi) and same(a.step, b.step) end,
}

-- What a special method of a, then the mirrored one of b, gives; nil: neither knows.
local function by_method(a, b, name, mirrored)
  local f = core.user_special(a, name)
  local g = core.user_special(b, mirrored)
  if f and g and getmt(b).__pyclass ~= getmt(a).__pyclass and
    core.subclass(getmt(b).__pyclass, getmt(a).__pyclass) then
    a, b, f, g = b, a, g, f -- the subclass first
  end
  if f then
    local r = late.call(f, a, b)
    if r ~= NotImplemented then
      return r
    end
  end
  if g then
    local r = late.call(g, b, a)
    if r ~= NotImplemented then
      return r
    end
  end
end

local set_kinds = {set = true, frozenset = true}

local function number_of(v)
  if v == true then
    return 1
  elseif v == false then
    return 0
  end
  return v
end

-- True beside a number of a kernel's is 1; beside a truth value of it, itself.
local function beside(v, other)
  local be = stage.backend
  if type(v) == "boolean" and be and be.is_symbolic(other) and not be.is_bool(other) then
    return number_of(v)
  end
  return v
end

-- a == b of two tables or userdata, or of one and something else.
local function equal(a, b)
  local ma, mb = getmt(a), getmt(b)
  if ma and ma.__user or mb and mb.__user then
    local r = by_method(a, b, "__eq__", "__eq__")
    if r ~= nil then
      return r
    end
    local x, y = core.unbox(a), core.unbox(b)
    if not (rawequal(x, a) and rawequal(y, b)) then
      return M.eq(x, y)
    end
  end
  if ma == core.Type and a.boxed_key and type(b) == "string" or mb == core.Type and b.boxed_key and type(a) == "string" then
    return (ma == core.Type and a.dtype or a) == (mb == core.Type and b.dtype or b) -- np.float32 and an array's dtype
  end
  local ka, kb = ma and ma.__kind, mb and mb.__kind
  local f = ka and (ka == kb or set_kinds[ka] and set_kinds[kb]) and by_kind[ka]
  if f then
    return f(a, b)
  elseif core.foreign(a) or core.foreign(b) then
    local r = core.late.tensor_order and core.late.tensor_order("eq", a, b)
    if r ~= nil then
      return r
    end
    return stage.eq(beside(a, b), beside(b, a))
  end
  return rawequal(a, b)
end

-- a == b
function M.eq(a, b)
  local ta, tb = type(a), type(b)
  if ta == tb and (ta == "number" or ta == "string") then
    return a == b
  elseif ta == "table" or ta == "userdata" or tb == "table" or tb == "userdata" then
    return equal(a, b)
  elseif ta == "boolean" or tb == "boolean" then
    return number_of(a) == number_of(b)
  elseif ta == "function" and tb == "function" then
    local s, t = core.sigs[a], core.sigs[b]
    return a == b or s ~= nil and t ~= nil and s.bound ~= nil and rawequal(s.bound, t.bound) and s.of == t.of
  end
  return a == b
end

-- a != b
function M.ne(a, b)
  local ma = getmt(a)
  if ma and ma.__user or type(b) == "table" and getmt(b) and getmt(b).__user then
    local r = by_method(a, b, "__ne__", "__ne__")
    if r ~= nil then
      return r
    end
  end
  if (core.foreign(a) or core.foreign(b)) and type(a) ~= "function" and type(b) ~= "function" then
    local r = core.late.tensor_order and core.late.tensor_order("ne", a, b)
    if r ~= nil then
      return r
    end
    return stage.ne(beside(a, b), beside(b, a))
  end
  local r = M.eq(a, b)
  if type(r) == "boolean" then
    return not r
  end
  return not late.truth(r)
end

-- a == b as a boolean
function same(a, b)
  local r = M.eq(a, b)
  if type(r) == "boolean" then
    return r
  end
  return late.truth(r)
end
M.same = same

-- Order ---------------------------------------------------------------------------------------

local symbols = {lt = "<", le = "<=", gt = ">", ge = ">="}
local mirror = {lt = "gt", le = "ge", gt = "lt", ge = "le"}
local numbers = {
  lt = function(a, b) return a < b end, le = function(a, b) return a <= b end,
  gt = function(a, b) return a > b end, ge = function(a, b) return a >= b end,
}

-- The first pair of items that differ decides; else the lengths.
local function items_order(op, a, b)
  for i = 1, math.min(a.n, b.n) do
    local x, y = a[i], b[i]
    if not (rawequal(x, y) or same(x, y)) then
      return M[op](x, y)
    end
  end
  return numbers[op](a.n, b.n)
end

local function subset(a, b)
  for k in pairs(a.pos) do
    if not b.pos[k] then
      return false
    end
  end
  return true
end

local sets = {
  le = subset, lt = function(a, b) return a.n < b.n and subset(a, b) end,
  ge = function(a, b) return subset(b, a) end, gt = function(a, b) return b.n < a.n and subset(b, a) end,
}

local function incomparable(op, a, b)
  exc.fail("TypeError", ("'%s' not supported between instances of '%s' and '%s'"):format(symbols[op],
    core.typename(a), core.typename(b)), "py_operands", nil)
end

local function order(op, a, b)
  local ma, mb = getmt(a), getmt(b)
  if ma and ma.__user or mb and mb.__user then
    local r = by_method(a, b, "__" .. op .. "__", "__" .. mirror[op] .. "__")
    if r ~= nil then
      return r
    end
    local x, y = core.unbox(a), core.unbox(b)
    if not (rawequal(x, a) and rawequal(y, b)) then
      return M[op](x, y)
    end
  end
  local ka, kb = ma and ma.__kind, mb and mb.__kind
  if ka == kb and (ka == "list" or ka == "tuple") then
    return items_order(op, a, b)
  elseif set_kinds[ka] and set_kinds[kb] then
    return sets[op](a, b)
  elseif ka == "bytes" and kb == "bytes" then
    return numbers[op](a.s, b.s)
  elseif core.foreign(a) and type(a) ~= "function" or core.foreign(b) and type(b) ~= "function" then
    local r = core.late.tensor_order and core.late.tensor_order(op, a, b)
    if r ~= nil then
      return r
    end
    return stage[op](number_of(a), number_of(b))
  end
  incomparable(op, a, b)
end

for op, f in pairs(numbers) do
  M[op] = function(a, b)
    if mtype(a) and mtype(b) then
      return f(a, b)
    elseif type(a) == "string" and type(b) == "string" then
      return f(a, b)
    end
    local x, y = number_of(a), number_of(b)
    if mtype(x) and mtype(y) then
      return f(x, y)
    end
    return order(op, a, b)
  end
end

-- Two numbers first, without a call more.
function M.lt(a, b)
  if mtype(a) and mtype(b) then
    return a < b
  elseif type(a) == "string" and type(b) == "string" then
    return a < b
  end
  local x, y = number_of(a), number_of(b)
  if mtype(x) and mtype(y) then
    return x < y
  end
  return order("lt", a, b)
end

-- Hashing ---------------------------------------------------------------------------------------

local unhashable = {list = true, dict = true, set = true, bytearray = true, slice = true}

local function not_hashable(v)
  exc.fail("TypeError", ("unhashable type: '%s'"):format(core.typename(v)), "py_hash")
end

local part

-- A tuple's content as a text; \1 and the lengths keep it apart from texts of users.
local function tuple_key(v)
  local parts = {"\1t"}
  for i = 1, v.n do
    local x = v[i]
    if mtype(x) == "integer" then
      parts[i + 1] = "n" .. x
    else
      parts[i + 1] = part(x)
    end
  end
  return table.concat(parts, "\1") .. "\1)"
end

local function frozen_key(v)
  local parts = {}
  for k in pairs(v.pos) do
    parts[#parts + 1] = part(k)
  end
  table.sort(parts)
  return "\1f" .. table.concat(parts, "\1") .. "\1)"
end

-- Objects whose classes define __hash__: hash -> those seen, so that equal ones have one key.
local seen = {}

local vague = false -- hash() was asked for something whose hash CPython has only for one process

-- The key, and the hash where every process of CPython has it.
local function by_hash(v, f)
  local before = vague
  vague = false
  local h = core.unbox(late.call(f, v))
  local sure = not vague and h or nil
  vague = before
  if mtype(h) ~= "integer" then
    exc.fail("TypeError", "__hash__ method should return an integer")
  end
  local list = seen[h]
  if not list then
    list = setmetatable({}, {__mode = "v"})
    seen[h] = list
  end
  for _, o in pairs(list) do
    if rawequal(o, v) then
      return o, sure
    end
  end
  for _, o in pairs(list) do
    if same(o, v) then
      return o, sure
    end
  end
  list[#list + 1] = v
  return v, sure
end

local function user_key(v, mt)
  local cls = mt.__pyclass
  local f, eq = cls.special.__hash__, cls.special.__eq__
  if cls.boxed_key then -- a number as any other
    return M.key(v[core.BOX])
  elseif f == core.None or eq and not f then
    return not_hashable(v)
  elseif f then
    return by_hash(v, f)
  elseif v[core.BOX] ~= nil then
    return M.key(v[core.BOX])
  end
end

local function table_key(v, mt)
  local kind = mt.__kind
  if mt.__user then
    local k, h = user_key(v, mt)
    if k ~= nil then
      return k, h
    end
  end
  if kind == "tuple" then
    return tuple_key(v)
  elseif kind == "frozenset" then
    return frozen_key(v)
  elseif kind == "bytes" then
    return "\1b" .. v.s
  elseif kind == "range" then
    return ("\1r%d,%d,%d"):format(v.start, v.stop, v.step)
  elseif unhashable[kind] then
    return not_hashable(v)
  end
  return v
end

-- What stands for v in the tables of dicts and sets, and what by_hash says; TypeError: it cannot be hashed.
function M.key(v)
  local t = type(v)
  if t == "string" then
    return v
  elseif t == "number" then
    return v == v and v or "\1nan"
  elseif t == "boolean" then
    return v and 1 or 0
  elseif t == "table" then
    local mt = getmt(v)
    if mt and mt.__opaque then
      mt.__opaque(v)
    end
    if mt then
      return table_key(v, mt)
    end
  elseif late.unseen and late.unseen(v) then
    v:totable() -- says that it has no value
  end
  return v
end

function part(v)
  local k = M.key(v)
  local t = type(k)
  if t == "string" then
    return "s" .. #k .. ":" .. k
  elseif t == "number" then
    return ("n%s"):format(mtype(k) == "integer" and k or k == math.floor(k) and ("%.0f"):format(k) or ("%a"):format(k))
  end
  return ("%p"):format(k)
end

-- hash(v): an integer; equal values have equal ones; CPython's where every process of it has the same.
function M.hash(v)
  local mt = getmt(v)
  local f = mt and mt.__user and mt.__pyclass.special.__hash__
  if f and f ~= core.None then
    return core.unbox(late.call(f, v))
  end
  local k, h = M.key(v), hash.of(v)
  if h then
    return h
  end
  vague = true
  local s = type(k) == "string" and k or ("%p"):format(k)
  h = 5381
  for i = 1, #s do
    h = (h * 33 ~ s:byte(i)) & 0x3fffffffffffffff
  end
  return h
end

return M
