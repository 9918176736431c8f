-- python/ops.lua: operators on every value.
--
-- Two numbers come first and take no further call.  Then: instances by their special methods (the
-- mirrored one of a subclass first), sequences, texts, sets, dicts, truth values as 0 and 1; foreign values
-- by Lua's own operators; else TypeError.  Augmented assignments ask __iadd__ and change lists, sets
-- and dicts in place.

local core = require "moontile.python.core"
local dict = require "moontile.python.dict"
local equal = require "moontile.python.equal"
local exc = require "moontile.python.exc"
local format = require "moontile.python.format"
local number = require "moontile.python.number"
local set = require "moontile.python.set"

local M = {}

local getmt, mtype, type, rawequal = debug.getmetatable, math.type, type, rawequal
local late = core.late
local traced = core.traced
local NotImplemented = core.NotImplemented
local overflow = number.overflow
local huge = math.huge

local symbols = {add = "+", sub = "-", mul = "*", div = "/", floordiv = "//", mod = "%", pow = "** or pow()",
  matmul = "@", lshift = "<<", rshift = ">>", bor = "|", bxor = "^", band = "&"}
local methods = {div = "truediv", bor = "or", bxor = "xor", band = "and"}

-- Numbers -------------------------------------------------------------------------------------

local function zero(text)
  exc.fail("ZeroDivisionError", text)
end

local function mul_int(a, b)
  local r = a * b
  if a > 2147483647 or a < -2147483648 or b > 2147483647 or b < -2147483648 then
    if a ~= 0 and (r // a ~= b or a == -1 and b == math.mininteger) then
      overflow()
    end
  end
  return r
end

local function pow_int(a, b)
  local r = 1
  while b > 0 do
    if b & 1 == 1 then
      r = mul_int(r, a)
    end
    b = b >> 1
    if b > 0 then
      a = mul_int(a, a)
    end
  end
  return r
end

-- 0 with the sign of x, which may be -0.0
local function zero_like(x)
  return (x < 0 or x == 0 and 1 / x < 0) and -0.0 or 0.0
end

local function mod_float(a, b)
  if b == 0 then
    zero "float modulo"
  end
  local r = math.fmod(a + 0.0, b)
  if r == 0 then
    return zero_like(b)
  elseif (r < 0) ~= (b < 0) then
    r = r + b
  end
  return r
end

-- a // b from the remainder, as CPython: 1.0 // 0.1 is 9.0
local function floordiv_float(a, b)
  if b == 0 then
    zero "float floor division by zero"
  end
  local r = math.fmod(a + 0.0, b)
  local q = (a - r) / b
  if r ~= 0 and (r < 0) ~= (b < 0) then
    q = q - 1
  end
  if q == 0 then
    return zero_like(a / b)
  end
  local f = (q == q and q ~= huge and q ~= -huge) and math.floor(q) + 0.0 or q
  return q - f > 0.5 and f + 1 or f
end

-- Two integers, or two numbers of which one is a float.
local ints = {
  add = function(a, b)
    local r = a + b
    return (a ~ r) & (b ~ r) < 0 and overflow() or r
  end,
  sub = function(a, b)
    local r = a - b
    return (a ~ b) & (a ~ r) < 0 and overflow() or r
  end,
  mul = mul_int,
  div = function(a, b)
    return b == 0 and zero "division by zero" or number.divide(a, b)
  end,
  floordiv = function(a, b)
    if b == 0 then
      zero "integer division or modulo by zero"
    elseif b == -1 and a == math.mininteger then
      overflow()
    end
    return a // b
  end,
  mod = function(a, b)
    return b == 0 and zero "integer modulo by zero" or a % b
  end,
  pow = function(a, b)
    if b < 0 then
      return a == 0 and zero "0.0 cannot be raised to a negative power" or (a + 0.0) ^ b
    end
    return pow_int(a, b)
  end,
  lshift = function(a, b)
    if b < 0 then
      exc.fail("ValueError", "negative shift count")
    elseif a == 0 then
      return 0
    elseif b > 62 or (a << b) >> b ~= a and a > 0 or a < 0 and -((-a << b) >> b) ~= a or (a << b < 0) ~= (a < 0) then
      overflow()
    end
    return a << b
  end,
  rshift = function(a, b)
    if b < 0 then
      exc.fail("ValueError", "negative shift count")
    elseif b > 62 then
      return a < 0 and -1 or 0
    end
    return a // (1 << b)
  end,
  bor = function(a, b) return a | b end,
  bxor = function(a, b) return a ~ b end,
  band = function(a, b) return a & b end,
}

local floats = {
  add = function(a, b) return a + b end,
  sub = function(a, b) return a - b end,
  mul = function(a, b) return a * b end,
  div = function(a, b) return b == 0 and zero "float division by zero" or a / b end,
  floordiv = floordiv_float,
  mod = mod_float,
  pow = function(a, b)
    if a == 0 and b < 0 then
      zero "0.0 cannot be raised to a negative power"
    elseif a < 0 and b ~= math.floor(b) and b ~= huge and b ~= -huge then
      exc.fail("ValueError", "moontile has no complex numbers: a negative number to a fractional power")
    end
    local r = (a * 1.0) ^ b
    if (r == huge or r == -huge) and a ~= huge and a ~= -huge and b ~= huge and b ~= -huge then
      exc.fail("OverflowError", "(34, 'Numerical result out of range')")
    end
    return r
  end,
}

-- Sequences, sets, dicts ------------------------------------------------------------------------

local function joined(a, b, meta)
  local n, m = a.n, b.n
  local r = table.move(a, 1, n, 1, {n = n + m})
  table.move(b, 1, m, n + 1, r)
  return setmetatable(r, meta)
end

local most = 1 << 28 -- items or bytes of what is made by `*`

-- How often n things are to be repeated; raises where there is no room for them.
local function room(n, times)
  if n == 0 or times < 0 then
    return 0
  elseif times > most // n then
    exc.fail("MemoryError", "")
  end
  return times
end

local function repeated(a, times, meta)
  local n = a.n
  times = room(n, times)
  local r = {n = n * times}
  for i = 0, times - 1 do
    table.move(a, 1, n, i * n + 1, r)
  end
  return setmetatable(r, meta)
end

local function merged(a, b)
  local r = dict.copy(a)
  for k, v in dict.each(b) do
    dict.put(r, k, v)
  end
  return r
end

local function is_set(k)
  return k == "set" or k == "frozenset"
end

-- operator -> function(a, b, kind of a, kind of b): nil, it does not know
local kinds = {}

function kinds.add(a, b, ka, kb)
  if ka == "str" and kb == "str" then
    return a .. b
  elseif ka == "list" and kb == "list" then
    return joined(a, b, core.List)
  elseif ka == "tuple" and kb == "tuple" then
    return joined(a, b, core.Tuple)
  elseif ka == "bytes" and kb == "bytes" then
    return setmetatable({s = a.s .. b.s}, core.Bytes)
  end
  local seq = (ka == "str" or ka == "list" or ka == "tuple") and ka
  if seq then
    local text = seq == "str" and 'can only concatenate str (not "%s") to str'
      or 'can only concatenate ' .. seq .. ' (not "%s") to ' .. seq
    if not core.foreign(b) then
      exc.fail("TypeError", text:format(core.typename(b)), "py_operands", nil)
    end
  end
end

local sequences = {str = true, list = true, tuple = true, bytes = true}

local function times(a, n, ka)
  if ka == "str" then
    return a:rep(room(#a, n))
  elseif ka == "list" then
    return repeated(a, n, core.List)
  elseif ka == "tuple" then
    return repeated(a, n, core.Tuple)
  elseif ka == "bytes" then
    return setmetatable({s = a.s:rep(room(#a.s, n))}, core.Bytes)
  end
end

function kinds.mul(a, b, ka, kb)
  if kb == "int" or kb == "bool" then
    return times(a, kb == "bool" and (b and 1 or 0) or b, ka)
  elseif ka == "int" or ka == "bool" then
    return times(b, ka == "bool" and (a and 1 or 0) or a, kb)
  end
  local other = sequences[ka] and b or sequences[kb] and a
  if other and not core.foreign(other) then
    exc.fail("TypeError", ("can't multiply sequence by non-int of type '%s'"):format(core.typename(other)),
      "py_operands", nil)
  end
end

function kinds.mod(a, b, ka)
  if ka == "str" then
    return format.percent(a, b)
  end
end

function kinds.sub(a, b, ka, kb)
  if is_set(ka) and is_set(kb) then
    return set.difference(a, b)
  end
end

function kinds.band(a, b, ka, kb)
  if is_set(ka) and is_set(kb) then
    return set.intersection(a, b)
  end
end

function kinds.bor(a, b, ka, kb)
  if is_set(ka) and is_set(kb) then
    return set.union(a, b)
  elseif ka == "dict" and kb == "dict" then
    return merged(a, b)
  elseif ka == "type" and (kb == "type" or kb == "NoneType") or ka == "NoneType" and kb == "type" then
    return late.union(a, b) -- int | None, of annotations
  end
end

function kinds.bxor(a, b, ka, kb)
  if is_set(ka) and is_set(kb) then
    return set.symmetric(a, b)
  end
end

-- The general case ------------------------------------------------------------------------------

-- Lua's operators on foreign values; with a number or a truth value as 0 and 1.
local foreign = {
  add = function(a, b) return a + b end, sub = function(a, b) return a - b end,
  mul = function(a, b) return a * b end, div = function(a, b) return a / b end,
  floordiv = function(a, b) return a // b end, mod = function(a, b) return a % b end,
  pow = function(a, b) return a ^ b end, lshift = function(a, b) return a << b end,
  rshift = function(a, b) return a >> b end, bor = function(a, b) return a | b end,
  bxor = function(a, b) return a ~ b end, band = function(a, b) return a & b end,
}

local events = {add = "__add", sub = "__sub", mul = "__mul", div = "__div", floordiv = "__idiv", mod = "__mod",
  pow = "__pow", lshift = "__shl", rshift = "__shr", bor = "__bor", bxor = "__bxor", band = "__band",
  matmul = "__matmul"}

local function unsupported(op, a, b, mark)
  exc.fail("TypeError", ("unsupported operand type(s) for %s: '%s' and '%s'"):format(mark or symbols[op],
    core.typename(a), core.typename(b)), "py_operands", nil)
end

-- What the special methods give; nil: neither knows.
local function by_method(op, a, b)
  local name = methods[op] or op
  local fname, rname = "__" .. name .. "__", "__r" .. name .. "__"
  local f, g = core.user_special(a, fname), core.user_special(b, rname)
  local ca, cb = getmt(a) and getmt(a).__pyclass, getmt(b) and getmt(b).__pyclass
  if f and g and ca ~= cb and core.subclass(cb, ca) and ca.special[rname] ~= g then
    local r = late.call(g, b, a)
    if r ~= NotImplemented then
      return r
    end
    g = nil
  end
  if f then
    local r = late.call(f, a, b)
    if r ~= NotImplemented then
      return r
    end
  end
  if g and ca ~= cb then
    local r = late.call(g, b, a)
    if r ~= NotImplemented then
      return r
    end
  end
end

-- A truth value as a number.
local function as_number(v)
  if v == true then
    return 1
  elseif v == false then
    return 0
  end
  return v
end

-- Kinds that no foreign operator takes.
local no_operand = {}
for kind in ("str bytes list tuple dict set frozenset NoneType range slice module generator"):gmatch "%w+" do
  no_operand[kind] = true
end

local function by_foreign(op, a, b)
  local ma, mb = getmt(a), getmt(b)
  local event = events[op]
  if late.array_operands and (late.isarray(a) or late.isarray(b)) and (op ~= "matmul" or late.isarray(a) and late.isarray(b)) then
    a, b = late.array_operands(op, a, b)
  end
  if late.torch_refuses then
    late.torch_refuses(op, a, b)
  end
  if op == "matmul" then
    local f = core.foreign(a) and a.matmul
    return f and late.like(f(a, b), a, b) or unsupported(op, a, b)
  end
  local has = ma and rawget(ma, event) or mb and rawget(mb, event)
  local ka, kb = core.kind(a), core.kind(b)
  if not has or no_operand[ka] or no_operand[kb] then
    unsupported(op, a, b)
  end
  if op == "div" and late.torch_div and not late.isarray(a) and not late.isarray(b) and
    (late.istensor(a) and mtype(as_number(b)) or late.istensor(b) and mtype(as_number(a))) then
    return late.laid(late.torch_div(as_number(a), as_number(b)), a, b)
  end
  if late.torch_truth and (type(a) == "boolean" or type(b) == "boolean") and (late.istensor(a) or late.istensor(b)) then
    return late.laid(late.torch_truth(op, a, b), a, b)
  end
  return late.laid(foreign[op](late.to_lua(as_number(a)), late.to_lua(as_number(b))), a, b)
end

-- Does the operator take two such numbers?
local function knows_numbers(op, a, b)
  return floats[op] ~= nil or ints[op] ~= nil and mtype(a) == "integer" and mtype(b) == "integer"
end

-- a op b where they are not both numbers, or no numbers that op takes.
local function general(op, a, b, mark)
  local ma, mb = getmt(a), getmt(b)
  local ta, tb = ma and traced[ma], mb and traced[mb]
  if ta and (tb or mtype(b)) or tb and mtype(a) then -- the rest is for others
    local f = foreign[op]
    if f then
      return f(a, b)
    end
  end
  if ma and ma.__user or mb and mb.__user then
    local r = by_method(op, a, b)
    if r ~= nil then
      return r
    end
    local x = core.unbox(a)
    local y = op == "mod" and type(x) == "string" and b or core.unbox(b) -- "%s" % v asks v's own __str__
    if not (rawequal(x, a) and rawequal(y, b)) then
      return M[op](x, y)
    end
  end
  local ka, kb = core.kind(a), core.kind(b)
  if ka == "bool" and kb == "bool" and (op == "bor" or op == "band" or op == "bxor") then
    return ints[op](as_number(a), as_number(b)) == 1
  end
  local x, y = as_number(a), as_number(b)
  if mtype(x) and mtype(y) then
    return knows_numbers(op, x, y) and M[op](x, y) or unsupported(op, a, b, mark)
  end
  local f = kinds[op]
  local r
  if f then
    r = f(a, b, ka, kb)
  end
  if r ~= nil then
    return r
  elseif ka == nil or kb == nil then
    return by_foreign(op, a, b)
  end
  unsupported(op, a, b, mark)
end

for op in pairs(symbols) do
  local int, float = ints[op], floats[op]
  M[op] = function(a, b)
    local ta, tb = mtype(a), mtype(b)
    if ta == "integer" and tb == "integer" and int then
      return int(a, b)
    elseif ta and tb and float then
      return float(a, b)
    elseif ta and tb then
      unsupported(op, a, b)
    end
    return general(op, a, b)
  end
end

-- The frequent ones, without a call more.

function M.add(a, b)
  local ta, tb = mtype(a), mtype(b)
  if ta == "integer" and tb == "integer" then
    local r = a + b
    if (a ~ r) & (b ~ r) < 0 then
      overflow()
    end
    return r
  elseif ta and tb then
    return a + b
  end
  return general("add", a, b)
end

function M.sub(a, b)
  local ta, tb = mtype(a), mtype(b)
  if ta == "integer" and tb == "integer" then
    local r = a - b
    if (a ~ b) & (a ~ r) < 0 then
      overflow()
    end
    return r
  elseif ta and tb then
    return a - b
  end
  return general("sub", a, b)
end

function M.div(a, b)
  local ta, tb = mtype(a), mtype(b)
  if ta and tb and b ~= 0 then
    return ta == tb and ta == "integer" and number.divide(a, b) or a / b
  elseif mtype(a) and mtype(b) then
    zero(mtype(a) == "float" and "float division by zero" or mtype(b) == "float" and "float division by zero"
      or "division by zero")
  end
  return general("div", a, b)
end

-- Unary -------------------------------------------------------------------------------------------

local function unary(v, name, symbol, f)
  local method = core.user_special(v, name)
  if method then
    return late.call(method, v)
  end
  local x = as_number(core.unbox(v))
  if mtype(x) then
    return M[f](x)
  end
  exc.fail("TypeError", ("bad operand type for unary %s: '%s'"):format(symbol, core.typename(v)), "py_operands", nil)
end

function M.neg(v)
  local t = mtype(v)
  if t == "integer" then
    return v == math.mininteger and overflow() or -v
  elseif t then
    return -v
  elseif core.foreign(v) and getmt(v) and rawget(getmt(v), "__unm") then
    if late.torch_refuses then
      late.torch_refuses("neg", v)
    end
    return late.laid(-v, v)
  end
  return unary(v, "__neg__", "-", "neg")
end

function M.pos(v)
  if mtype(v) or core.foreign(v) then
    return v
  end
  return unary(v, "__pos__", "+", "pos")
end

function M.invert(v)
  if mtype(v) == "integer" then
    return ~v
  elseif core.foreign(v) and getmt(v) and rawget(getmt(v), "__bnot") then
    return late.laid(~v, v)
  elseif mtype(v) then
    exc.fail("TypeError", "bad operand type for unary ~: 'float'", "py_operands", nil)
  end
  return unary(v, "__invert__", "~", "invert")
end

-- Augmented assignment --------------------------------------------------------------------------

local function extend(a, v)
  local n = a.n
  if rawequal(a, v) then
    v = joined(v, core.list {}, core.List)
  end
  for x in late.iter(v) do
    n = n + 1
    a[n] = x
  end
  a.n = n
  return a
end
M.extend = extend

-- What an augmented assignment of a set and another does.
local function of_sets(f)
  return function(a, b)
    if is_set(core.kind(b)) then
      f(a, b)
      return a
    end
  end
end

-- operator -> kind -> function(a, b): changes a; nil: it does not know
local in_place = {
  add = {list = extend},
  mul = {list = function(a, b)
    if mtype(b) ~= "integer" then
      return nil
    end
    local n = a.n
    b = room(n, b)
    for i = n * b + 1, n do
      a[i] = nil
    end
    for i = 1, b - 1 do
      table.move(a, 1, n, i * n + 1)
    end
    a.n = n * b
    return a
  end},
  bor = {
    set = of_sets(set.update),
    dict = function(a, b)
      for k, v in late.items(b) do -- as update() does: pairs will do, too
        dict.put(a, k, v)
      end
      return a
    end,
  },
  band = {set = of_sets(function(a, b) set.refill(a, set.intersection(a, b)) end)},
  sub = {set = of_sets(set.subtract)}, bxor = {set = of_sets(set.toggle)},
}

local function augmented(op, a, b)
  local mt = getmt(a)
  if mt and mt.__user then
    local f = mt.__pyclass.special["__i" .. (methods[op] or op) .. "__"]
    if f then
      local r = late.call(f, a, b)
      if r ~= NotImplemented then
        return r
      end
    end
  end
  local changed = late.tensor_augmented and late.tensor_augmented(op, a, b)
  if changed ~= nil then
    return changed
  end
  local kinds_of = in_place[op]
  local f = kinds_of and mt and kinds_of[mt.__kind]
  local r = f and f(a, b)
  if r then
    return r
  elseif mtype(a) and mtype(b) and knows_numbers(op, a, b) then
    return M[op](a, b)
  end
  return general(op, a, b, symbols[op]:match "^%S+" .. "=")
end

for op in pairs(symbols) do
  M["i" .. op] = function(a, b)
    return augmented(op, a, b)
  end
end

function M.iadd(a, b)
  local ta, tb = mtype(a), mtype(b)
  if ta == "integer" and tb == "integer" then
    local r = a + b
    if (a ~ r) & (b ~ r) < 0 then
      overflow()
    end
    return r
  elseif ta and tb then
    return a + b
  end
  return augmented("add", a, b)
end

-- Truth -----------------------------------------------------------------------------------------

local known = require("moontile.known").known
local sized = {list = true, tuple = true, dict = true, set = true, frozenset = true}

local function object_truth(v, mt)
  if mt.__user then
    local f = mt.__pyclass.special.__bool__
    if f then
      local r = late.call(f, v)
      if type(r) ~= "boolean" then
        exc.fail("TypeError", ("__bool__ should return bool, returned %s"):format(core.typename(r)))
      end
      return r
    end
    if mt.__pyclass.special.__len__ then
      return late.length(v) ~= 0
    elseif v[core.BOX] ~= nil then
      return M.truth(v[core.BOX])
    end
  end
  if sized[mt.__kind] then
    return v.n > 0
  elseif mt.__kind == "range" then
    return equal.range_length(v) > 0
  elseif mt.__kind == "bytes" then
    return #v.s > 0
  elseif mt.__kind == "NoneType" then
    return false
  end
  return true
end

-- What a value is worth as a condition: a boolean.
function M.truth(v)
  if v == true then
    return true
  elseif v == false or v == nil then
    return false
  end
  local mt = getmt(v)
  if mtype(v) then
    return v ~= 0
  elseif type(v) == "string" then
    return v ~= ""
  elseif mt and mt.__pyclass then
    return object_truth(v, mt)
  end
  return late.foreign_truth(known(v, 0))
end
late.truth = M.truth

local stage = require "moontile.stage"

-- not v
function M.no(v)
  if type(v) == "userdata" or type(v) == "table" and core.foreign(v) then
    local r = stage.no(v)
    return type(r) == "boolean" and not M.truth(v) or r
  end
  return not M.truth(v)
end

-- A value that a kernel knows only when it runs: stage decides.
local function symbolic(v)
  local be = stage.backend
  return (type(v) == "userdata" or type(v) == "table") and be ~= nil and be.is_symbolic(v)
end

M.symbolic = symbolic

-- a and f()
function M.land(a, f)
  if a == true then
    return f()
  elseif symbolic(a) then
    return stage.land(a, f)
  elseif M.truth(a) then
    return f()
  end
  return a
end

-- a or f()
function M.lor(a, f)
  if a == false then
    return f()
  elseif symbolic(a) then
    return stage.lor(a, f)
  elseif M.truth(a) then
    return a
  end
  return f()
end

-- f() if c else g()
function M.choose(c, f, g)
  if c ~= true and symbolic(c) then
    return late.foreign_choose(c, f, g)
  elseif c == true or c ~= false and M.truth(c) then
    return f()
  end
  return g()
end

return M
