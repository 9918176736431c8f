-- python/builtins.lua: Python's built-in functions, and what its classes do when they are called.

local attr = require "moontile.python.attr"
local class = require "moontile.python.class"
local core = require "moontile.python.core"
local containers = require "moontile.python.containers"
local dict = require "moontile.python.dict"
local equal = require "moontile.python.equal"
local exc = require "moontile.python.exc"
local format = require "moontile.python.format"
local func = require "moontile.python.func"
local index = require "moontile.python.index"
local iter = require "moontile.python.iter"
local native = require "moontile.python.native"
local number = require "moontile.python.number"
local ops = require "moontile.python.ops"
local set = require "moontile.python.set"
local sort = require "moontile.python.sort"
local text = require "moontile.python.text"

local M = {}

local types, late = core.types, core.late
local getmt, mtype, type, select = debug.getmetatable, math.type, type, select
local None = core.None
local call = func.call

local function given(v)
  return v ~= nil and v ~= None
end

-- Output ----------------------------------------------------------------------------------------------

-- sys.stdout, whose write print calls; lib/sys.lua may put another in its place.
M.out = {write = function(s) io.write(s) end, flush = function() io.flush() end}

local function option(kw, name)
  local v = kw and dict.get(kw, name)
  return given(v) and v or nil
end

M.functions = {}
local F = M.functions

F.print = native.make("print", "*, sep, end, file, flush", function(kw, ...)
  local n = select("#", ...)
  local parts = {...}
  for i = 1, n do
    parts[i] = text.str(parts[i])
  end
  local s = table.concat(parts, option(kw, "sep") or " ", 1, n) .. (option(kw, "end") or "\n")
  local file = option(kw, "file")
  if file then
    func.method(file, "write", s)
  else
    M.out.write(s)
  end
  if option(kw, "flush") and not file then
    M.out.flush()
  end
  return None
end)

-- Numbers ---------------------------------------------------------------------------------------------

local function to_int(v, base)
  if v == nil then
    return 0
  end
  local x = core.unbox(v)
  if base ~= nil then
    base = index.whole(base)
    if type(x) ~= "string" then
      exc.fail("TypeError", "int() can't convert non-string with explicit base")
    elseif base ~= 0 and (base < 2 or base > 36) then
      exc.fail("ValueError", "int() base must be >= 2 and <= 36, or 0")
    end
    return number.parse_int(x, base)
  elseif mtype(x) == "integer" then
    return x
  elseif mtype(x) == "float" then
    return number.truncate(x)
  elseif type(x) == "boolean" then
    return x and 1 or 0
  elseif type(x) == "string" then
    return number.parse_int(x, 10)
  end
  local f = core.user_special(v, "__int__") or core.user_special(v, "__index__") or core.user_special(v, "__trunc__")
  if f then
    return call(f, v)
  elseif ops.symbolic(v) then
    exc.fail("TypeError", "int() argument must be a real number that is known, not 'expr'", "py_traced", "int", "int32")
  elseif core.foreign(v) and type(v) ~= "function" then
    return to_int(late.foreign_value(v))
  end
  exc.fail("TypeError", ("int() argument must be a string, a bytes-like object or a real number, not '%s'")
    :format(core.typename(v)))
end

local function to_float(v)
  if v == nil then
    return 0.0
  end
  local x = core.unbox(v)
  if mtype(x) then
    return x * 1.0 -- not + 0.0, which loses the sign of -0.0
  elseif type(x) == "boolean" then
    return x and 1.0 or 0.0
  elseif type(x) == "string" then
    return number.parse_float(x)
  end
  local f = core.user_special(v, "__float__")
  if f then
    return call(f, v)
  elseif ops.symbolic(v) then
    exc.fail("TypeError", "float() argument must be a real number that is known, not 'expr'", "py_traced", "float",
      "float32")
  elseif late.unseen and late.unseen(v) then
    return v
  elseif core.foreign(v) and type(v) ~= "function" then
    return to_float(late.foreign_value(v))
  end
  exc.fail("TypeError", ("float() argument must be a string or a real number, not '%s'"):format(core.typename(v)))
end
M.to_float = to_float

local function integer(v, what)
  local i = index.integer(v)
  if not i then
    exc.fail("TypeError", what and what:format(core.typename(v))
      or ("'%s' object cannot be interpreted as an integer"):format(core.typename(v)))
  end
  return i
end

local function absolute(v)
  local x = type(v) == "boolean" and (v and 1 or 0) or core.unbox(v)
  local f = core.user_special(v, "__abs__")
  if f then
    return call(f, v)
  elseif mtype(x) then
    return x == math.mininteger and number.overflow() or math.abs(x)
  elseif ops.symbolic(v) then
    return (package.loaded["moontile.T"].abs(v))
  elseif core.foreign(v) and type(v) ~= "function" then
    return late.like(call(attr.attr(v, "abs")), v)
  end
  exc.fail("TypeError", ("bad operand type for abs(): '%s'"):format(core.typename(v)))
end

local function round(v, n)
  local x = type(v) == "boolean" and (v and 1 or 0) or core.unbox(v)
  local f = core.user_special(v, "__round__")
  if f then
    return call(f, v, n)
  elseif not mtype(x) then
    exc.fail("TypeError", ("type %s doesn't define __round__ method"):format(core.typename(v)))
  end
  return number.round(x, given(n) and index.whole(n) or nil)
end

-- The inverse of a modulo m > 0.
local function inverse(a, m)
  local r, s, x, y = a % m, m, 1, 0
  while r ~= 0 do
    local q = s // r
    r, s, x, y = s - q * r, r, y - q * x, x
  end
  if s ~= 1 then
    exc.fail("ValueError", "base is not invertible for the given modulus")
  end
  return y % m
end

local function plain_number(v)
  return type(v) == "boolean" and (v and 1 or 0) or core.unbox(v)
end

local function power(base, exponent, mod)
  if not given(mod) then
    return ops.pow(base, exponent)
  end
  local a, b, m = plain_number(base), plain_number(exponent), plain_number(mod)
  if mtype(a) ~= "integer" or mtype(b) ~= "integer" or mtype(m) ~= "integer" then
    if mtype(a) and mtype(b) and mtype(m) then
      exc.fail("TypeError", "pow() 3rd argument not allowed unless all arguments are integers")
    end
    exc.fail("TypeError", ("unsupported operand type(s) for ** or pow(): '%s', '%s', '%s'"):format(
      core.typename(base), core.typename(exponent), core.typename(mod)))
  elseif m == 0 then
    exc.fail("ValueError", "pow() 3rd argument cannot be 0")
  elseif b < 0 then
    a, b = inverse(a, math.abs(m)), -b
  end
  local r = 1
  a = a % m
  while b > 0 do
    if b & 1 == 1 then
      r = ops.mod(ops.mul(r, a), m)
    end
    b = b >> 1
    if b > 0 then
      a = ops.mod(ops.mul(a, a), m)
    end
  end
  return ops.mod(r, m)
end

-- divmod(a, b)
local function quotient_rest(a, b)
  local x, y = plain_number(a), plain_number(b)
  if mtype(x) and mtype(y) then
    if y == 0 and (mtype(x) == "float" or mtype(y) == "float") then
      exc.fail("ZeroDivisionError", "float divmod()")
    end
    return core.pack(ops.floordiv(x, y), ops.mod(x, y))
  elseif core.foreign(a) or core.foreign(b) then
    return core.pack(ops.floordiv(a, b), ops.mod(a, b))
  end
  for _, side in ipairs {{a, b, "__divmod__"}, {b, a, "__rdivmod__"}} do
    local f = core.user_special(side[1], side[3])
    local r = f and call(f, side[1], side[2])
    if r ~= nil and r ~= core.NotImplemented then
      return r
    end
  end
  exc.fail("TypeError", ("unsupported operand type(s) for divmod(): '%s' and '%s'"):format(core.typename(a),
    core.typename(b)))
end

local function sum(items, start)
  local r = start == nil and 0 or start
  if type(r) == "string" then
    exc.fail("TypeError", "sum() can't sum strings [use ''.join(seq) instead]")
  end
  for v in iter.iter(items) do
    r = ops.add(r, v)
  end
  return r
end

-- min and max; better(a, b): a is to be taken instead of b
local function extreme(name, better)
  return native.make(name, "*, key, default", function(kw, first, ...)
    local key, default = option(kw, "key"), nil
    if kw then
      default = dict.get(kw, "default")
    end
    if first == nil then
      exc.fail("TypeError", name .. " expected at least 1 argument, got 0")
    end
    local items = first
    if select("#", ...) > 0 then
      items = core.pack(first, ...)
      if not key and items.n == 2 and (core.foreign(items[1]) or core.foreign(items[2])) then
        local T = package.loaded["moontile.T"]
        return T[name](late.to_lua(items[1]), late.to_lua(items[2]))
      end
    end
    local best, best_key
    for v in iter.iter(items) do
      local k = v
      if key then
        k = call(key, v)
      end
      if best == nil or late.truth(better(k, best_key)) then
        best, best_key = v, k
      end
    end
    if best == nil and default == nil then
      exc.fail("ValueError", name .. "() arg is an empty sequence")
    end
    if best == nil then
      return default
    end
    return best
  end)
end
F.min, F.max = extreme("min", equal.lt), extreme("max", equal.gt)

-- Iterators -------------------------------------------------------------------------------------------

local function enumerate(v, start)
  local step, i = iter.stepper(v), (start == nil and 0 or index.whole(start)) - 1
  return iter.iterator(function()
    local x = step()
    if x ~= nil then
      i = i + 1
      return core.pack(i, x)
    end
  end, "enumerate")
end

local function steppers(...)
  local list = {...}
  for i = 1, #list do
    list[i] = iter.stepper(list[i])
  end
  return list
end
M.steppers = steppers

-- The next value of each, as a tuple; nil as soon as one is at its end, and which.
local function row(list)
  local t = {}
  for i = 1, #list do
    t[i] = list[i]()
    if t[i] == nil then
      return nil, i
    end
  end
  return core.tuple(t, #list)
end
M.row = row

F.zip = native.make("zip", "*, strict", function(kw, ...)
  local list = steppers(...)
  local strict = option(kw, "strict")
  if #list == 0 then
    return iter.iterator(function() end, "zip")
  end
  return iter.iterator(function()
    local t, at = row(list)
    if not t and strict then
      local longer = at == 1 and row {table.unpack(list, 2)} ~= nil
      if at > 1 or longer then
        exc.fail("ValueError", at > 1 and ("zip() argument %d is shorter than argument %s"):format(at,
          at == 2 and "1" or "s 1-" .. at - 1) or "zip() argument 2 is longer than argument 1")
      end
    end
    return t
  end, "zip")
end)

F.map = native.make("map", "*,", function(_, f, ...)
  if ... == nil then
    exc.fail("TypeError", "map() must have at least two arguments.")
  end
  local list = steppers(...)
  if #list == 1 then
    local step = list[1]
    return iter.iterator(function()
      local v = step()
      if v ~= nil then
        return call(f, v)
      end
    end, "map")
  end
  return iter.iterator(function()
    local t = row(list)
    if t then
      return call(f, table.unpack(t, 1, t.n))
    end
  end, "map")
end)

local function filter(f, v)
  local step = iter.stepper(v)
  return iter.iterator(function()
    while true do
      local x = step()
      local keep = x
      if x ~= nil and f ~= None then
        keep = call(f, x)
      end
      if x == nil or late.truth(keep) then
        return x
      end
    end
  end, "filter")
end

local function reversed(v)
  local f = core.user_special(v, "__reversed__")
  if f then
    return call(f, v)
  elseif core.kind(v) == "dict" then
    return iter.iterator(dict.back(v, function(k) return k end), "dict_reversekeyiterator")
  end
  local kind = core.kind(v)
  if kind == "set" or kind == "frozenset" or iter.barren(v) or kind == "iterator" or kind == "generator"
    or core.user_special(v, "__iter__") and not core.user_special(v, "__getitem__") then
    exc.fail("TypeError", ("'%s' object is not reversible"):format(core.typename(v)))
  end
  local n = index.len(v)
  return iter.iterator(function()
    n = n - 1
    if n >= 0 then
      return index.index(v, n)
    end
  end, core.kind(v) == "list" and "list_reverseiterator" or "reversed")
end

local function all(v)
  for x in iter.iter(v) do
    if not late.truth(x) then
      return false
    end
  end
  return true
end

local function any(v)
  for x in iter.iter(v) do
    if late.truth(x) then
      return true
    end
  end
  return false
end

-- Objects ---------------------------------------------------------------------------------------------

local function attribute(o, name, default)
  if type(name) ~= "string" then
    exc.fail("TypeError", "attribute name must be string, not '" .. core.typename(name) .. "'")
  elseif default == nil then
    return attr.attr(o, name)
  end
  local v = attr.get(o, name)
  if v == nil then
    return default
  end
  return v
end

local function callable(v)
  local mt = getmt(v)
  if type(v) == "string" or mtype(v) then
    return false
  end
  return type(v) == "function" or mt == core.Type or mt ~= nil and (mt.__user and mt.__pyclass.special.__call__ and true
    or mt.__py_call ~= nil or not mt.__pyclass and mt.__call ~= nil) or false
end

-- Numbers that stand for objects, given out when id() asks.
local ids, next_id = setmetatable({}, {__mode = "k"}), 0x7f0000000000

local function id(v)
  if type(v) ~= "table" and type(v) ~= "function" and type(v) ~= "userdata" then
    return equal.hash(v)
  elseif not ids[v] then
    next_id = next_id + 48
    ids[v] = next_id
  end
  return ids[v]
end

local function class_of(v)
  local cls = core.class_of(v)
  if cls then
    return cls
  end
  return late.foreign_class(v)
end

-- The class of foreign values of one kind, made when type() asks.
local foreign_classes = {}
function late.foreign_class(v)
  local name = core.typename(v)
  if not foreign_classes[name] then
    foreign_classes[name] = core.builtin(name, {__name = name, __kind = name})
    foreign_classes[name].module = name == "Tensor" and "torch" or late.scalar_type and late.scalar_type(v) and "numpy"
      or foreign_classes[name].module
    foreign_classes[name].native_check = function(x) return core.foreign(x) and core.typename(x) == name end
  end
  return foreign_classes[name]
end

local function vars(o)
  local d = o ~= nil and attr.live_dict(o)
  if not d then
    exc.fail("TypeError", "vars() argument must have __dict__ attribute")
  end
  return d
end

local function directory(o)
  local names = attr.names(o)
  return core.list(names)
end

local function codepoint(s)
  s = core.unbox(s)
  if type(s) ~= "string" then
    exc.fail("TypeError", ("ord() expected string of length 1, but %s found"):format(core.typename(s)))
  end
  local n = format.length(s)
  if n ~= 1 then
    exc.fail("TypeError", ("ord() expected a character, but string of length %d found"):format(n))
  end
  return utf8.codepoint(s, 1, 1, true)
end

local function character(v)
  local n = index.whole(v)
  if n < 0 or n > 0x10ffff then
    exc.fail("ValueError", "chr() arg not in range(0x110000)")
  end
  return utf8.char(n)
end

local function input(prompt)
  if prompt ~= nil then
    M.out.write(text.str(prompt))
    M.out.flush()
  end
  local line = io.read "l"
  if not line then
    exc.fail("EOFError", "EOF when reading a line")
  end
  return line
end

native.functions(F, {
  ["len(obj)"] = index.len, ["repr(obj)"] = text.repr, ["ascii(obj)"] = text.ascii,
  ["abs(x)"] = absolute, ["round(number, ndigits?)"] = round, ["pow(base, exp, mod?)"] = power,
  ["divmod(x, y)"] = quotient_rest,
  ["sum(iterable, start?)"] = sum, ["all(iterable)"] = all, ["any(iterable)"] = any,
  ["enumerate(iterable, start?)"] = enumerate, ["filter(function, iterable)"] = filter,
  ["reversed(sequence)"] = reversed,
  ["sorted(iterable, *, key, reverse)"] = function(v, key, reverse) return sort.sort(iter.list(v), key, reverse) end,
  ["iter(object, sentinel?)"] = function(v, sentinel)
    if sentinel == nil then
      return iter.object(v)
    elseif not callable(v) then
      exc.fail("TypeError", "iter(v, w): v must be callable")
    end
    return iter.iterator(function()
      local x = call(v)
      if not equal.same(x, sentinel) then
        return x
      end
    end, "callable_iterator")
  end,
  ["next(iterator, default?)"] = iter.next, ["getattr(object, name, default?)"] = attribute,
  ["hasattr(object, name)"] = function(o, name) return attr.get(o, name) ~= nil end,
  ["setattr(object, name, value)"] = function(o, name, v) attr.setattr(o, name, v) return None end,
  ["delattr(object, name)"] = function(o, name) attr.delattr(o, name) return None end,
  ["callable(obj)"] = callable, ["id(obj)"] = id, ["hash(obj)"] = equal.hash,
  ["isinstance(obj, class_or_tuple)"] = class.isinstance, ["issubclass(cls, class_or_tuple)"] = class.issubclass,
  ["vars(object?)"] = vars, ["dir(object)"] = directory, ["ord(c)"] = codepoint, ["chr(i)"] = character,
  ["hex(number)"] = function(v) return format.based(integer(v), "x") end,
  ["oct(number)"] = function(v) return format.based(integer(v), "o") end,
  ["bin(number)"] = function(v) return format.based(integer(v), "b") end,
  ["format(value, format_spec?)"] = function(v, spec)
    if spec ~= nil and type(core.unbox(spec)) ~= "string" then
      exc.fail("TypeError", ("format() argument 2 must be str, not %s"):format(core.typename(spec)))
    end
    return format.format(v, spec == nil and "" or core.unbox(spec))
  end,
  ["input(prompt?)"] = input,
})

-- Classes -----------------------------------------------------------------------------------------------

-- What calling a built-in class does, with its names: spec, function
local function constructor(name, spec, fn)
  local f = native.make(name, spec, fn)
  types[name].construct, types[name].native_new = f, f
end

local function range(a, b, step)
  local loop = core.late.range_of_kernel and core.late.range_of_kernel(a, b, step)
  if loop then
    return loop
  end
  local start, stop = 0, a
  if b ~= nil then
    start, stop = integer(a), b
  end
  stop = integer(stop)
  step = step == nil and 1 or integer(step)
  if step == 0 then
    exc.fail("ValueError", "range() arg 3 must not be zero")
  end
  return setmetatable({start = start, stop = stop, step = step}, core.Range)
end

local function slice(a, b, step)
  if b == nil then
    return index.slice(nil, a)
  end
  return index.slice(a, b, step)
end

local function bytes(v)
  if type(v) == "string" then
    return setmetatable({s = v}, core.Bytes)
  elseif mtype(v) == "integer" then
    if v < 0 then
      exc.fail("ValueError", "negative count")
    end
    return setmetatable({s = ("\0"):rep(v)}, core.Bytes)
  elseif getmt(v) == core.Bytes then
    return v
  end
  local l = iter.list(v == nil and core.tuple {} or v)
  for i = 1, l.n do
    local n = l[i]
    if mtype(n) ~= "integer" then
      exc.fail("TypeError", ("'%s' object cannot be interpreted as an integer"):format(core.typename(n)))
    elseif n < 0 or n > 255 then
      exc.fail("ValueError", "bytes must be in range(0, 256)")
    end
    l[i] = string.char(n)
  end
  return setmetatable({s = table.concat(l)}, core.Bytes)
end

local function type_call(v, bases, ns)
  if bases == nil then
    return getmt(v) == core.Type and v.metaclass or class_of(v)
  end
  local values, order = {}, {}
  for k, x in dict.each(ns) do
    values[k], order[#order + 1] = x, k
  end
  local list = {}
  for i = 1, bases.n do
    list[i] = bases[i]
  end
  return class.make(v, #list > 0 and list or {types.object}, values, order)
end

constructor("int", "x?, base?", to_int)
constructor("float", "x?", to_float)
constructor("bool", "x?", function(v) return v ~= nil and late.truth(v) end)
constructor("str", "object?, encoding?, errors?", function(v, encoding)
  if v == nil then
    return ""
  end
  return encoding ~= nil and getmt(v) == core.Bytes and v.s or text.str(v)
end)
constructor("list", "iterable?", function(v) return v == nil and core.list({}, 0) or iter.list(v) end)
constructor("tuple", "iterable?", function(v) return v == nil and core.tuple({}, 0) or iter.tuple(v) end)
constructor("set", "iterable?", function(v) return v == nil and set.new() or set.of(v) end)
constructor("frozenset", "iterable?", function(v)
  return v == nil and set.new(core.Frozenset) or getmetatable(v) == core.Frozenset and v or set.of(v, core.Frozenset)
end)
constructor("dict", "**", function(kw, v, ...)
  local d = dict.new()
  if ... ~= nil then
    exc.fail("TypeError", ("dict expected at most 1 argument, got %d"):format(1 + select("#", ...)))
  end
  containers.update(d, v, kw)
  return d
end)
constructor("bytes", "source?, encoding?", bytes)
constructor("range", "start, stop?, step?", range)
constructor("slice", "start, stop?, step?", slice)
constructor("type", "object, bases?, dict?", type_call)
constructor("property", "fget?, fset?, fdel?, doc?", class.property)
constructor("staticmethod", "function", function(f) return setmetatable({f = f}, attr.Static) end)
constructor("classmethod", "function", function(f) return setmetatable({f = f}, attr.Classmethod) end)
constructor("super", "type, object", class.super)
types.object.construct = native.make("object", "", function() return setmetatable({}, types.object.meta) end)
types.object.meta.__user, types.object.meta.__own = true, true

-- Methods of numbers; truth values have them as 0 and 1.
local function whole(v)
  return type(v) == "boolean" and (v and 1 or 0) or v
end

local function value_property(f)
  return setmetatable({fget = native.make("value", "self", f)}, attr.Property)
end

native.methods(types.int, {
  ["bit_length(self)"] = function(v)
    local n = 0
    v = math.abs(whole(v))
    while v ~= 0 do
      n, v = n + 1, v >> 1
    end
    return n
  end,
  ["bit_count(self)"] = function(v) return select(2, format.based(math.abs(whole(v)), "b"):sub(3):gsub("1", "")) end,
  ["conjugate(self)"] = whole,
  ["as_integer_ratio(self)"] = function(v) return core.pack(whole(v), 1) end,
  ["__round__(self, ndigits?)"] = function(v, n) return round(whole(v), n) end,
  ["__index__(self)"] = whole, ["__int__(self)"] = whole,
})
-- 1.5 -> "0x1.8000000000000p+0"
local function float_hex(x)
  if x ~= x or x == math.huge or x == -math.huge then
    return number.float_repr(x)
  end
  local sign = (x < 0 or 1 / x < 0) and "-" or ""
  x = math.abs(x)
  if x == 0 then
    return sign .. "0x0.0p+0"
  end
  local bits = string.unpack("<i8", string.pack("<d", x))
  local exponent, fraction = bits >> 52, bits & 0xfffffffffffff
  return ("%s0x%d.%013xp%+d"):format(sign, exponent > 0 and 1 or 0, fraction, exponent > 0 and exponent - 1023 or -1022)
end

-- The float as a quotient of integers.
local function integer_ratio(x)
  if x ~= x then
    exc.fail("ValueError", "cannot convert NaN to integer ratio")
  elseif x == math.huge or x == -math.huge then
    exc.fail("OverflowError", "cannot convert Infinity to integer ratio")
  end
  local below = 0
  while x ~= math.floor(x) do
    x, below = x * 2, below + 1
  end
  if below > 62 then
    number.overflow()
  end
  return core.pack(number.truncate(x), 1 << below)
end

native.methods(types.float, {
  ["is_integer(self)"] = function(v) return v == math.floor(v) and math.abs(v) ~= math.huge end,
  ["conjugate(self)"] = function(v) return v end,
  ["hex(self)"] = float_hex,
  ["as_integer_ratio(self)"] = integer_ratio,
  ["__round__(self, ndigits?)"] = round,
})
for _, cls in ipairs {types.int, types.float} do
  cls.dict.real = value_property(whole)
  cls.dict.imag = value_property(function(v) return mtype(v) == "float" and 0.0 or 0 end)
end
types.int.dict.numerator, types.int.dict.denominator = value_property(whole), value_property(function() return 1 end)

local function property_with(which)
  return function(p, f)
    local q = class.property(p.fget, p.fset, p.fdel, p.doc)
    q[which] = f
    return q
  end
end
native.methods(types.property, {
  ["setter(self, f)"] = property_with "fset", ["getter(self, f)"] = property_with "fget",
  ["deleter(self, f)"] = property_with "fdel",
})

-- The content of instances of classes that derive from these.
class.fill.list = function(l, v)
  l.n = 0
  return containers.fill_list(l, v)
end
class.fill.tuple = function(t, v)
  local l = v == nil and {n = 0} or iter.list(v)
  t.n = l.n
  table.move(l, 1, l.n, 1, t)
end
class.fill.dict = function(d, v)
  d.keys, d.vals, d.pos, d.n, d.last = {}, {}, {}, 0, 0
  containers.update(d, v)
end
class.fill.set = function(s, v)
  set.init(s)
  if v ~= nil then
    set.update(s, v)
  end
end
class.fill.frozenset = class.fill.set

-- Methods that every object has, for super() and explicit calls ------------------------------------------

-- A special method of object for a type: without what the user's class defines.
native.functions(attr.fallback.object, {
  ["__repr__(self)"] = function(o)
    local mt = getmt(o)
    return mt and mt.__user and text.kind_repr(o) or text.repr(o)
  end,
  ["__str__(self)"] = function(o)
    local mt = getmt(o)
    if mt and mt.__user and mt.__pyclass.is_exception then
      return exc.str(o)
    end
    return text.repr(o)
  end,
  ["__eq__(self, other)"] = function(a, b) return rawequal(a, b) and true or core.NotImplemented end,
  ["__ne__(self, other)"] = function(a, b) return not rawequal(a, b) end,
  ["__hash__(self)"] = function(o) return id(o) // 16 end,
  ["__setattr__(self, name, value)"] = function(o, name, v) attr.put(o, name, v) return None end,
  ["__getattribute__(self, name)"] = function(o, name)
    local own = core.own(o)
    if own and own[name] ~= nil then
      return own[name]
    end
    return attr.attr_past(o, name)
  end,
  ["__delattr__(self, name)"] = function(o, name) core.own(o)[name] = nil attr.changed(o, name) return None end,
  ["__format__(self, spec)"] = function(o) return text.str(o) end,
  ["__init_subclass__(cls)"] = function() return None end,
})
-- object's __init__ takes nothing, but where the class makes its objects itself.
attr.fallback.object.__init__ = native.make("object.__init__", "**", function(kw, o, ...)
  local cls = core.class_of(o)
  if (kw or select("#", ...) > 0) and cls and cls.kind == "instance" and not cls.is_exception then
    if cls.special.__init__ then
      exc.fail("TypeError", "object.__init__() takes exactly one argument (the instance to initialize)")
    elseif not cls.special.__new__ then
      exc.fail("TypeError", cls.name .. ".__init__() takes exactly one argument (the instance to initialize)")
    end
  end
  return None
end)
attr.fallback.object.__new__ = native.make("object.__new__", "**", function(_, cls, ...)
  return class.allocate(cls, ...)
end)
attr.fallback.exception = {
  __init__ = native.make("BaseException.__init__", "**", function(_, e, ...)
    e.args = core.pack(...)
    return None
  end),
  with_traceback = native.make("with_traceback", "self, tb", function(e) return e end),
  add_note = native.make("add_note", "self, note", function() return None end),
}

for _, cls in pairs(exc.classes) do
  cls.construct = function(...)
    return exc.make(cls, ...)
  end
end
local StopIteration, SystemExit = exc.classes.StopIteration, exc.classes.SystemExit
local function first_argument(key)
  return setmetatable({fget = native.make(key, "self", function(e) return e.args[1] == nil and None or e.args[1] end)},
    attr.Property)
end
core.class_set(StopIteration, "value", first_argument "value")
core.class_set(SystemExit, "code", first_argument "code")
core.class_set(exc.classes.OSError, "errno", first_argument "errno")
for name, i in pairs {strerror = 2, filename = 3, filename2 = 5} do
  core.class_set(exc.classes.OSError, name, setmetatable({fget = native.make(name, "self", function(e)
    local v = e.args[i]
    return v == nil and None or v
  end)}, attr.Property))
end
for _, name in ipairs {"__cause__", "__context__", "__traceback__"} do
  core.class_set(exc.classes.BaseException, name, setmetatable({fget = native.make(name, "self", function(e)
    return name == "__context__" and exc.context(e) or None
  end)}, attr.Property))
end

-- All names -----------------------------------------------------------------------------------------------

-- Python's built-in names -> values.
M.names = {
  NotImplemented = core.NotImplemented, Ellipsis = core.Ellipsis, __debug__ = true,
}
for name, f in pairs(F) do
  M.names[name] = f
end
for _, name in ipairs {"object", "type", "int", "bool", "float", "str", "list", "tuple", "dict", "set", "frozenset",
  "bytes", "range", "slice", "property", "staticmethod", "classmethod", "super"} do
  M.names[name] = types[name]
end
for name, cls in pairs(exc.classes) do
  M.names[name] = cls
end

return M
