-- python/numpy_scalar.lua: numbers of NumPy's dtypes: what an element of an array is, and a sum of all of them.
--
--   scalar.of(t)            a tensor without dimensions as a number of its dtype; a bool is Python's
--   scalar.dtype(v)         its dtype; nil: v is none, nor a constant of T's
--   scalar.result(a, b)     the dtype of NumPy's that both fit into
--
-- An object of a class like numpy.float32 holds its value as a number of Lua's, core.BOX, which everything takes that
-- takes numbers.  Its operators round to its dtype; Python's own numbers beside it have none (NEP 50).

local core = require "moontile.python.core"
local equal = require "moontile.python.equal"
local exc = require "moontile.python.exc"
local foreign = require "moontile.python.foreign"
local func = require "moontile.python.func"
local ir = require "moontile.ir"
local made = require "moontile.python.made"
local native = require "moontile.python.native"
local number = require "moontile.python.number"
local tensor = require "moontile.tensor"

local M = {}

local NotImplemented, BOX, getmt, mtype = core.NotImplemented, core.BOX, debug.getmetatable, math.type

local function operators() return require "moontile.python.ops" end

-- Dtypes --------------------------------------------------------------------------------------------

local function bits_of(dtype) return math.tointeger(tonumber(dtype:match "%d+$")) or 8 end
local function isfloat(dtype) return dtype:find "^float%d+$" ~= nil or dtype == "bfloat16" end
local function isunsigned(dtype) return dtype:find "^u" ~= nil end

-- A float of NumPy's that holds the integers of a dtype.
local function float_for(dtype)
  local bits = bits_of(dtype)
  return dtype == "bool" and "float16" or bits <= 8 and "float16" or bits <= 16 and "float32" or "float64"
end

local function of_integers(a, b)
  local x, y = bits_of(a), bits_of(b)
  if isunsigned(a) == isunsigned(b) then
    return x >= y and a or b
  elseif isunsigned(a) then
    a, x, y = b, y, x
  end
  return x > y and a or y >= 64 and "float64" or ("int%d"):format(2 * y) -- a is signed, of x bits
end

function M.result(a, b)
  if a == b or b == "bool" then
    return a
  elseif a == "bool" then
    return b
  elseif isfloat(a) or isfloat(b) then
    local x, y = isfloat(a) and a or float_for(a), isfloat(b) and b or float_for(b)
    return bits_of(x) >= bits_of(y) and x or y
  end
  return of_integers(a, b)
end

-- A number as one of a dtype.
local function rounded(v, dtype)
  if dtype == "float64" then
    return v + 0.0
  elseif dtype == "float32" then
    return (("<f"):unpack(("<f"):pack(v)))
  elseif isfloat(dtype) then
    return tensor.from_table({v + 0.0}, dtype)[0] + 0.0
  end
  v = mtype(v) == "integer" and v or number.truncate(v)
  local bits = bits_of(dtype)
  if bits == 64 then
    return v
  end
  v = v & ((1 << bits) - 1)
  return not isunsigned(dtype) and v >> (bits - 1) == 1 and v - (1 << bits) or v
end

-- Classes -------------------------------------------------------------------------------------------

local classes = {}

local function make(dtype, v)
  local o = setmetatable({}, classes[dtype].meta)
  o[BOX] = rounded(v, dtype)
  return o
end

local function dtype_of(v)
  local mt = getmt(v)
  local cls = mt and mt.__user and mt.__pyclass
  if cls and cls.dtype and classes[cls.dtype] == cls then
    return cls.dtype
  end
  return ir.kind(v) == "expr" and ir.const(v) ~= nil and classes[ir.dtype(v)] and ir.dtype(v) or nil
end
M.dtype = dtype_of

local function value_of(v)
  if ir.kind(v) == "expr" then
    return ir.const(v)
  end
  v = core.unbox(v)
  return v == true and 1 or v == false and 0 or v
end

-- The dtype of a op b, one of them a number of a dtype; nil: the other is none.
local function common(a, b)
  local x, y = dtype_of(a), dtype_of(b)
  if x and y then
    return M.result(x, y)
  end
  local d, other = x or y, value_of(x and b or a)
  if not mtype(other) then
    return nil
  end
  return mtype(other) == "float" and not isfloat(d) and "float64" or d
end

-- An array beside a number of a dtype, as NumPy's rules have it before they meet; nil: it stays.
local function widened(array, d)
  local r = M.result(array.dtype, d)
  return r ~= array.dtype and foreign.array(array:astype(r), true) or nil
end

-- What meets where an array and something else do: NumPy's dtypes, not PyTorch's.
function core.late.array_operands(op, a, b)
  local x, y = foreign.arrays[a] and a.dtype, foreign.arrays[b] and b.dtype
  local d = x and y and M.result(x, y) or x or y
  if not d then
    return a, b
  end
  if not (x and y) and (mtype(a) == "float" or mtype(b) == "float") or op == "div" then
    d = isfloat(d) and d or "float64"
  end
  if x and x ~= d then
    a = foreign.array(a:astype(d), true)
  end
  if y and y ~= d then
    b = foreign.array(b:astype(d), true)
  end
  return a, b
end

-- Operators -----------------------------------------------------------------------------------------

local function divide(a, b, d)
  if isfloat(d) then
    return b == 0 and (a == 0 or a ~= a) and core.nan or a // b
  end
  return b == 0 and 0 or a // b
end

local function modulo(a, b, d)
  if b == 0 then
    return isfloat(d) and core.nan or 0
  end
  return isfloat(d) and operators().mod(a, b) or a % b
end

local function power(a, b, d)
  if isfloat(d) then
    return (a + 0.0) ^ b
  elseif b < 0 then
    exc.fail("ValueError", "Integers to negative integer powers are not allowed.")
  end
  local r = 1
  while b > 0 do
    r, a, b = b & 1 == 1 and r * a or r, a * a, b >> 1
  end
  return r
end

local arithmetic = {
  add = function(a, b) return a + b end, sub = function(a, b) return a - b end, mul = function(a, b) return a * b end,
  truediv = function(a, b) return (a + 0.0) / b end, floordiv = divide, mod = modulo, pow = power,
}
local of_bits = {
  ["and"] = function(a, b) return a & b end, ["or"] = function(a, b) return a | b end,
  xor = function(a, b) return a ~ b end, lshift = function(a, b) return a << b end,
  rshift = function(a, b) return b > 63 and (a < 0 and -1 or 0) or a // (1 << b) end,
}

-- The operator's own name in ops.lua, for arrays.
local named = {truediv = "div", floordiv = "idiv", ["and"] = "band", ["or"] = "bor", xor = "bxor", lshift = "shl", rshift = "shr"}

local function fits(v, dtype)
  if rounded(v, dtype) ~= v then
    exc.fail("OverflowError", ("Python integer %d out of bounds for %s"):format(v, dtype))
  end
end

local function apply(name, f, a, b)
  local array = foreign.arrays[a] and a or foreign.arrays[b] and b
  if array then
    local wide = widened(array, dtype_of(array == a and b or a))
    if not wide then
      return NotImplemented
    end
    return operators()[named[name] or name](array == a and wide or core.unbox(a), array == b and wide or core.unbox(b))
  end
  if ir.kind(a) == "expr" and not dtype_of(a) then -- a kernel's value: the number is a constant of T's
    return operators()[named[name] or name](a, func.call(dtype_of(b), b[BOX]))
  elseif ir.kind(b) == "expr" and not dtype_of(b) then
    return operators()[named[name] or name](func.call(dtype_of(a), a[BOX]), b)
  end
  local d = common(a, b)
  if not d or of_bits[name] and isfloat(d) then
    return NotImplemented
  end
  local x, y = value_of(a), value_of(b)
  if isfloat(d) then
    x, y = rounded(x, d), rounded(y, d)
  else
    fits(x, d)
    fits(y, d)
  end
  return make(name == "truediv" and not isfloat(d) and "float64" or d, f(x, y, d))
end

local compares = {
  eq = function(a, b) return a == b end, ne = function(a, b) return a ~= b end, lt = function(a, b) return a < b end,
  le = function(a, b) return a <= b end, gt = function(a, b) return a > b end, ge = function(a, b) return a >= b end,
}

local function compare(f, a, b)
  local d = common(a, b)
  if not d then
    return NotImplemented
  end
  local x, y = value_of(a), value_of(b)
  if isfloat(d) and (dtype_of(a) and dtype_of(b)) == nil then -- Python's number is one of this dtype
    x, y = rounded(x, d), rounded(y, d)
  end
  return f(x, y)
end

-- Texts ---------------------------------------------------------------------------------------------

local positional = {float64 = 1e16, float32 = 1e6, float16 = 1e3, bfloat16 = 1e3} -- below it, and from 1e-4 on

-- The fewest digits that read back as v, and their exponent.
local function digits(v, dtype)
  if dtype == "float64" then
    return number.shortest(v)
  end
  for n = 0, 9 do
    local s = ("%%.%de"):format(n):format(v)
    if rounded(tonumber(s), dtype) == v then
      local lead, rest, e = s:match "^(%d)%.?(%d*)e([-+]%d+)$"
      return ((lead .. rest):gsub("0+$", "")), math.tointeger(tonumber(e))
    end
  end
end

local function text(o)
  local v, dtype = o[BOX], dtype_of(o)
  if mtype(v) == "integer" or v ~= v or v == 0 or v == math.huge or v == -math.huge then
    return number.repr(v)
  end
  local sign, s, e = v < 0 and "-" or "", digits(math.abs(v), dtype)
  if math.abs(v) < 1e-4 or math.abs(v) >= positional[dtype] then
    return ("%s%s%se%s%02d"):format(sign, s:sub(1, 1), #s > 1 and "." .. s:sub(2) or "", e < 0 and "-" or "+", math.abs(e))
  elseif e < 0 then
    return sign .. "0." .. ("0"):rep(-e - 1) .. s
  end
  s = s .. ("0"):rep(e + 1 - #s)
  return sign .. s:sub(1, e + 1) .. "." .. (#s > e + 1 and s:sub(e + 2) or "0")
end

-- The dtype of a list of such numbers, at any depth; nil: of something else, too.
function M.of_list(v, d)
  for i = 1, v.n or 0 do
    local e = v[i]
    local kind = core.kind(e)
    local own
    if kind == "list" or kind == "tuple" then
      own = M.of_list(e)
    else
      own = dtype_of(e)
    end
    if not own then
      return nil
    end
    d = d and M.result(d, own) or own
  end
  return d
end

-- The array without dimensions that a number is.
local function array_of(o)
  return foreign.array(tensor.from_table({o[BOX]}, dtype_of(o)):reshape {}, true)
end
M.array = array_of

-- Methods -------------------------------------------------------------------------------------------

local methods = {
  ["__str__(self)"] = text,
  ["__repr__(self)"] = function(o) return ("np.%s(%s)"):format(dtype_of(o), text(o)) end,
  ["__format__(self, spec)"] = function(o, spec) return require("moontile.python.format").format(o[BOX], spec) end,
  ["__hash__(self)"] = function(o) return equal.hash(o[BOX]) end,
  ["__bool__(self)"] = function(o) return o[BOX] ~= 0 end,
  ["__float__(self)"] = function(o) return o[BOX] + 0.0 end,
  ["__int__(self)"] = function(o) return mtype(o[BOX]) == "integer" and o[BOX] or number.truncate(o[BOX]) end,
  ["__neg__(self)"] = function(o) return make(dtype_of(o), -o[BOX]) end,
  ["__pos__(self)"] = function(o) return o end,
  ["__abs__(self)"] = function(o) return make(dtype_of(o), math.abs(o[BOX])) end,
  ["__round__(self, ndigits?)"] = function(o, n)
    local digits_ = n ~= core.None and n or nil
    local r = number.round(o[BOX], digits_)
    return digits_ and make(dtype_of(o), r) or r
  end,
  ["__getitem__(self, k)"] = function(o, k)
    if core.kind(k) == "tuple" and k.n == 0 then
      return o
    end
    exc.fail("IndexError", "invalid index to scalar variable.")
  end,
  ["__iter__(self)"] = function(o) exc.fail("TypeError", ("'numpy.%s' object is not iterable"):format(dtype_of(o))) end,
  ["__divmod__(self, other)"] = function(a, b)
    local q = apply("floordiv", divide, a, b)
    return q == NotImplemented and q or core.tuple({q, apply("mod", modulo, a, b)}, 2)
  end,
  ["item(self)"] = function(o) return o[BOX] end,
  ["tolist(self)"] = function(o) return o[BOX] end,
  ["copy(self)"] = function(o) return o end,
  ["astype(self, dtype)"] = function(o, dtype)
    return M.of(tensor.from_table({o[BOX]}, dtype_of(o)):astype(foreign.to_lua(dtype)):reshape {})
  end,
  ["__getattr__(self, name)"] = function(o, name) return core.late.attr(array_of(o), name) end,
}
for name, f in pairs(compares) do
  methods[("__%s__(self, other)"):format(name)] = function(a, b) return compare(f, a, b) end
end
for _, list in ipairs {arithmetic, of_bits} do
  for name, f in pairs(list) do
    methods[("__%s__(self, other)"):format(name)] = function(a, b) return apply(name, f, a, b) end
    methods[("__r%s__(self, other)"):format(name)] = function(a, b) return apply(name, f, b, a) end
  end
end
local of_ints = {
  ["__index__(self)"] = function(o) return o[BOX] end,
  ["__invert__(self)"] = function(o) return make(dtype_of(o), ~o[BOX]) end,
}

local properties = {
  dtype = function(o) return core.late.attr(array_of(o), "dtype") end,
  shape = function() return core.tuple({}, 0) end, ndim = function() return 0 end, size = function() return 1 end,
  itemsize = function(o) return bits_of(dtype_of(o)) // 8 end, nbytes = function(o) return bits_of(dtype_of(o)) // 8 end,
  T = function(o) return o end, real = function(o) return o end,
}

local function define(name, base, more)
  return made.class(name, "numpy", {}, more and {base, more} or {base})
end

M.generic = made.methods(made.class("generic", "numpy", {}), methods)
made.properties(M.generic, properties)
M.number = define("number", M.generic)
M.integer, M.inexact = define("integer", M.number), define("inexact", M.number)
made.methods(M.integer, of_ints)
M.signedinteger, M.unsignedinteger = define("signedinteger", M.integer), define("unsignedinteger", M.integer)
M.floating = define("floating", M.inexact)
for _, d in ipairs {"float16", "float32", "float64", "bfloat16", "int8", "int16", "int32", "int64", "uint8", "uint16",
  "uint32", "uint64"} do
  classes[d] = define(d, isfloat(d) and M.floating or isunsigned(d) and M.unsignedinteger or M.signedinteger,
    d == "float64" and core.types.float or nil)
  classes[d].dtype, classes[d].boxed_key = d, true
end
M.classes = classes

-- A number of Lua's as one of a dtype that NumPy has.
function M.number(dtype, v)
  return mtype(v) and classes[dtype] and make(dtype, v) or v
end

function M.of(t)
  return M.number(t.dtype, t:item())
end

-- np.float32(..): of a number, a text, a number of another dtype; of an array or a list that array of this dtype.
local function construct(cls, v)
  if not cls.dtype then
    exc.fail("TypeError", ("cannot create 'numpy.%s' instances"):format(cls.name))
  end
  local x = v == nil and 0 or value_of(v)
  if type(x) == "string" then
    x = func.call(core.types[isfloat(cls.dtype) and "float" or "int"], x)
  end
  if not mtype(x) and (tensor.istensor(x) or core.kind(x) == "list" or core.kind(x) == "tuple") then
    return foreign.array((tensor.istensor(x) and x or tensor.from_table(foreign.to_lua(x))):astype(cls.dtype))
  elseif not mtype(x) then
    x = func.call(core.types[isfloat(cls.dtype) and "float" or "int"], x)
  elseif not isfloat(cls.dtype) and mtype(x) == "integer" and not dtype_of(v) then
    fits(x, cls.dtype)
  end
  return make(cls.dtype, x)
end
core.class_set(M.generic, "__new__", native.make("generic", "cls, value?", construct))

return M
