-- python/foreign.lua: values of Lua's and of moontile's own, as Python sees them, and back.
--
--   to_lua(v)     None is nil, lists and tuples are plain tables, dicts tables by name, Python's
--                 functions functions whose tuple is several results
--   from_lua(v)   nil is None, plain tables are lists (a shape: a tuple), by name: dicts, and modules
--                 where they hold functions; an iterator with its state stays what a generic `for` takes
--
-- T and tl take names as a last plain table.  Objects with a metatable get their methods called with
-- themselves in front; T, tl and what wrap() made do not.

local core = require "moontile.python.core"
local diag = require "moontile.diag"
local dict = require "moontile.python.dict"
local digits = require "moontile.layout.digits"
local exc = require "moontile.python.exc"
local func = require "moontile.python.func"
local native = require "moontile.python.native"
local stage = require "moontile.stage"
local tensor = require "moontile.tensor"

local M = {}

local late, sigs = core.late, core.sigs
local getmt, mtype, type, unpack = debug.getmetatable, math.type, type, table.unpack
local None, OWN = core.None, core.OWN
local isplain = tensor.isplain

-- Tensors that Python got as NumPy's arrays: their elements are numbers.
M.arrays = setmetatable({}, {__mode = "k"})

late.istensor = tensor.istensor

-- r, which came of a and b: an array where one of them is.
function late.like(r, a, b)
  return (M.arrays[a] or b ~= nil and M.arrays[b]) and M.array(r) or r
end

-- The same, of an operator that works element by element: r is laid out as PyTorch's result.
function late.laid(r, a, b)
  if tensor.istensor(r) and (tensor.istensor(a) and not a:is_contiguous() or tensor.istensor(b) and not b:is_contiguous()) then
    require("moontile.python.torch_layout").elementwise(r, {a, b})
  end
  return late.like(r, a, b)
end

-- Methods of arrays give arrays, by the functions of NumPy's module where it has them.
local of_arrays = {}
local named_by_numpy = {}
for name in ("sum mean prod max min any all std var clip transpose swapaxes astype cumsum cumprod argmax argmin"):gmatch "%w+" do
  named_by_numpy[name] = true
end

-- Methods that are not the function of NumPy's of that name: name -> function(kw, array, ..)
M.array_methods = {}

-- What these give of an array without dimensions stays one.
local keeps = {astype = true, copy = true, reshape = true, squeeze = true, swapaxes = true, transpose = true}

-- NumPy's module, also of a program that imports only what makes arrays (t.numpy()).
function late.numpy()
  return require("moontile.python.imports").import_as "numpy"
end

local function array_method(name, f, own)
  local np = named_by_numpy[name] and late.numpy() and (M.array_methods[name] or late.attr_or_nil(late.numpy(), name))
  local key = np or f
  if not of_arrays[key] then
    of_arrays[key] = native.make("ndarray." .. name, "**", function(kw, a, ...)
      local call = np or own and f or func.bound(f, a)
      local args = (np or own) and core.pack(a, ...) or core.pack(...)
      local r = func.calls(call, args, kw)
      return keeps[name] and M.array(r, true) or late.like(r, a)
    end)
  end
  return of_arrays[key]
end

function late.isarray(t)
  return M.arrays[t] == true
end

-- t as an array; without dimensions its number (numpy_scalar.lua), unless whole: as NumPy's functions that make arrays give them.
function M.array(t, whole)
  if not tensor.istensor(t) then
    return t
  elseif t.ndim == 0 and not whole then
    return tensor.unseen(t) and t or require("moontile.python.numpy_scalar").of(t)
  end
  M.arrays[t] = true
  return t
end

-- To Lua --------------------------------------------------------------------------------------------

local to_lua

local function plain_list(v)
  local t = {}
  for i = 1, v.n do
    t[i] = to_lua(v[i])
  end
  return t
end

local function plain_dict(d)
  local t = {}
  for k, v in dict.each(d) do
    local key = to_lua(k)
    if key ~= nil then
      t[key] = to_lua(v)
    end
  end
  return t
end

local function plain_set(s)
  local t = {}
  for k in dict.each(s) do
    t[#t + 1] = to_lua(k)
  end
  return t
end

local function plain_slice(s)
  if s.step ~= None and s.step ~= 1 then
    exc.fail("ValueError", "moontile's slices have no step: write a loop, or index one element")
  end
  return stage.slice(to_lua(s.lo), to_lua(s.hi))
end

local by_kind = {list = plain_list, tuple = plain_list, dict = plain_dict, set = plain_set, frozenset = plain_set,
  slice = plain_slice, bytes = function(b) return b.s end,
  module = function(m) return m[OWN] or m end,
  range = function(r) return plain_list(late.list(r)) end}

local wrapped = setmetatable({}, {__mode = "k"}) -- Python's function -> Lua's
local inner = setmetatable({}, {__mode = "k"}) -- and back

local from_lua

-- A Python function for Lua: arguments and results change sides.
local function lua_function(f)
  local sig = sigs[f]
  if sig.stage then
    return f
  end
  local w = wrapped[f]
  if not w then
    w = function(...)
      local args, n = {...}, select("#", ...)
      for i = 1, n do
        args[i] = from_lua(args[i])
      end
      local r = func.call(f, unpack(args, 1, n))
      if core.istuple(r) then
        local t = plain_list(r)
        return unpack(t, 1, r.n)
      end
      return to_lua(r)
    end
    wrapped[f], inner[w] = w, f
  end
  return w
end

-- A Python function on digits (layout/digits.lua) instead of numbers: what would have to know one fails.
function digits.follow(f, args)
  if not inner[f] then
    return nil
  end
  local before = stage.backend
  stage.backend = setmetatable({is_symbolic = function(v)
    return digits.is(v) and v() or before ~= nil and before.is_symbolic(v)
  end}, {__index = before})
  local _ <close> = setmetatable({}, {__close = function() stage.backend = before end})
  local r = table.pack(f(unpack(args)))
  return r.n == 1 and isplain(r[1]) and r[1] or r
end

-- An object that is called, functools.partial(..) or one of a class with __call__, as a function.
local function callable(o)
  local w = wrapped[o]
  if not w then
    local f = native.make("__call__", "**", function(kw, ...) return func.calls(o, core.pack(...), kw) end)
    w = lua_function(f)
    wrapped[o], inner[w] = w, o
  end
  return w
end

-- A value as Lua and moontile take it.
function to_lua(v)
  local t = type(v)
  if t == "table" then
    local mt = getmt(v)
    if v == None then
      return nil
    elseif mt and mt.__py_lua then
      return mt.__py_lua(v)
    elseif mt and mt.__user and v[core.BOX] ~= nil then
      return v[core.BOX]
    elseif mt == core.Type and v.boxed_key then -- np.float32: a dtype
      return v.dtype
    end
    local f = mt and mt.__pyclass and by_kind[mt.__kind]
    if not f and core.user_special(v, "__call__") then
      return callable(v)
    end
    return f and f(v) or v
  elseif t == "function" and sigs[v] then
    return lua_function(v)
  end
  return v
end
M.to_lua = to_lua
late.to_lua = to_lua

-- From Lua ------------------------------------------------------------------------------------------

-- A table of functions and values as a module.
function M.wrap(name, t)
  return setmetatable({__name__ = name, [OWN] = t}, core.Module)
end

local function holds_functions(t)
  for _, v in pairs(t) do
    if type(v) == "function" then
      return true
    end
  end
  return false
end

local function named(t, deep)
  if holds_functions(t) then
    return M.wrap("table", t)
  end
  local keys = {}
  for k in pairs(t) do
    keys[#keys + 1] = k
  end
  table.sort(keys, function(a, b) return tostring(a) < tostring(b) end)
  local d = dict.new()
  for _, k in ipairs(keys) do
    dict.put(d, from_lua(k), from_lua(t[k], deep))
  end
  return d
end

-- Tables that are modules although they are plain tables with a metatable.
local modules = setmetatable({}, {__mode = "k"})

-- Remembers that t's functions are no methods.
function M.is_module(t)
  modules[t] = true
end

-- A value of Lua's as Python sees it.
function from_lua(v, depth)
  local t = type(v)
  if v == nil then
    return None
  elseif t == "function" then
    return inner[v] or v
  elseif t ~= "table" or not isplain(v) or modules[v] or (depth or 0) > 16 then
    return v
  end
  local deep = (depth or 0) + 1
  if getmt(v) == nil and next(v) ~= nil and #v == 0 then
    return named(v, deep)
  end
  local l = {}
  for i = 1, #v do
    l[i] = from_lua(v[i], deep)
  end
  l.n = #v
  return setmetatable(l, getmt(v) and core.Tuple or core.List)
end
M.from_lua = from_lua

local function results(n, ...)
  if n == 1 then
    return from_lua((...))
  elseif n == 0 then
    return None
  end
  local frame = M.frame and n == 4 and M.frame(...)
  if frame then
    return frame
  end
  local r = {...}
  for i = 1, n do
    r[i] = from_lua(r[i])
  end
  return core.tuple(r, n)
end

-- Results of Lua's as one value of Python's.
local function packed(...)
  return results(select("#", ...), ...)
end
M.packed = packed

-- Calls ---------------------------------------------------------------------------------------------

-- f(...)
function M.call(f, a, ...)
  local n = 1 + select("#", ...)
  if n == 1 then
    return packed(f(to_lua(a)))
  elseif n == 2 then
    return packed(f(to_lua(a), to_lua((...))))
  elseif n == 3 then
    local b, c = ...
    return packed(f(to_lua(a), to_lua(b), to_lua(c)))
  end
  local args = {a, ...}
  for i = 1, n do
    args[i] = to_lua(args[i])
  end
  return packed(f(unpack(args, 1, n)))
end

late.call_foreign = function(f, ...)
  if select("#", ...) == 0 then
    return packed(f())
  end
  return M.call(f, ...)
end

-- f(.., name = value ..): the names become a last table.
function late.call_foreign_k(f, names, ...)
  local args, n = {...}, select("#", ...) - #names
  local kw = {}
  for i, name in ipairs(names) do
    kw[name] = to_lua(args[n + i])
  end
  for i = 1, n do
    args[i] = to_lua(args[i])
  end
  args[n + 1] = kw
  return packed(f(unpack(args, 1, n + 1)))
end

-- Attributes ----------------------------------------------------------------------------------------

-- A name of a module that wraps a table, or nil.
-- Of tl, whose missing names are the module's in Python.
local missing = {tl_unknown = true, tl_near = true}

local function own_field(t, name)
  if t ~= package.loaded["moontile.tl"] then
    return t[name]
  end
  local ok, v = pcall(function() return t[name] end)
  if not ok and not (diag.isdiag(v) and missing[v.id]) then
    error(v, 0)
  end
  return ok and v or nil
end

function late.module_attr(m, name)
  local t = m[OWN]
  local v = late.submodule(m, name) or t and own_field(t, name)
  if v == nil and m.__getattr__ then
    return func.call(m.__getattr__, name)
  elseif v == nil then
    return nil
  end
  v = from_lua(v)
  if type(v) == "function" or type(v) == "string" and t == package.loaded["moontile.T"] then
    m[name] = v
  end
  return v
end

-- T and tl themselves, too.
local function has_methods(o)
  local loaded = package.loaded
  return getmt(o) ~= nil and not isplain(o) and not modules[o] and o ~= loaded["moontile.T"]
    and o ~= loaded["moontile.tl"]
end

-- o.name, or nil
function late.foreign_attr(o, name)
  if name == "size" and M.arrays[o] then
    return o:numel()
  end
  if M.tensor_attr and tensor.istensor(o) then
    local v = M.tensor_attr(o, name)
    if v ~= nil then
      return late.like(v, o)
    end
    local f = M.tensor_method(name) -- as in a call
    if f then
      return func.bound(M.arrays[o] and array_method(name, f, true) or f, o)
    end
  end
  if type(o) == "function" or type(o) == "thread" then
    return nil
  end
  local v = o[name]
  if M.arrays[o] and tensor.istensor(v) then
    return M.array(v)
  end
  if name == "config" and v ~= nil then
    v = o.tuned or v -- of a tuned kernel what tuning chose, without what the call gave
  end
  if v == nil then
    return nil
  elseif type(v) == "function" and has_methods(o) then
    local b = func.bound(v, o)
    sigs[b].name = sigs[b].name or name
    return b
  end
  return from_lua(v)
end

-- What o.name(..) calls, and what stands in front of its arguments or nil.
function late.foreign_method(o, name)
  if type(o) == "function" or type(o) == "thread" then
    return late.attr(o, name)
  end
  local f = M.tensor_method and tensor.istensor(o) and M.tensor_method(name)
  if f then
    return M.arrays[o] and array_method(name, f, true) or f, o
  end
  f = o[name]
  if M.arrays[o] and type(f) == "function" then
    return array_method(name, f, false), o
  end
  if f == nil then
    return late.attr(o, name) -- says so
  elseif type(f) == "function" and has_methods(o) then
    return f, o
  end
  return from_lua(f)
end

-- The names that dir(o) lists of a value of moontile's: its fields and methods, of a tensor also PyTorch's operators.
function late.foreign_names(o)
  local names, parts = {}, {}
  if tensor.istensor(o) then
    names = {"T", "device", "dtype", "grad", "is_cuda", "mT", "ndim", "requires_grad", "shape"}
    parts = {tensor.methods, require("moontile.tl.host.registry").rows}
  elseif type(o) == "table" then
    local mt = getmt(o) or {}
    local index = rawget(mt, "__names") or rawget(mt, "__index")
    parts = {type(index) == "table" and index or o}
  end
  for _, t in ipairs(parts) do
    for name in next, t do
      names[#names + 1] = type(name) == "string" and not name:find "^_" and name or nil
    end
  end
  return names
end

function late.foreign_setattr(o, name, v)
  if M.tensor_setattr and tensor.istensor(o) and M.tensor_setattr(o, name, v) then
    return
  end
  o[name] = to_lua(v)
end

-- Indices -------------------------------------------------------------------------------------------

-- A buffer of a kernel's has the dimensions that it has.
local function no_new_axes(...)
  for i = 1, select("#", ...) do
    if (select(i, ...)) == None then
      exc.fail("TypeError", "None is no index of a buffer in a kernel", "py_new_axis", "None")
    end
  end
end

-- o[k], o[k1, k2]: T's and tl's objects get several as one table; a function of T is called (T.Tensor[..])
-- In Lua 2.0 is an index; in Python it is none.
local function no_float(v)
  local mt = getmt(v)
  if mtype(v) == "float" then
    exc.fail("IndexError", "only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are valid indices (got float)",
      "py_type")
  elseif mt == core.Tuple then
    for i = 1, v.n do
      no_float(v[i])
    end
  elseif mt == core.Slice then
    no_float(v.lo)
    no_float(v.hi)
  end
end

local function no_floats(...)
  for i = 1, select("#", ...) do
    no_float((select(i, ...)))
  end
end

function late.foreign_index(o, ...)
  no_floats(...)
  if M.tensor_at and tensor.istensor(o) then
    return M.tensor_at(o, ...)
  end
  local n = select("#", ...)
  local k = ...
  if type(o) == "function" then
    if n == 1 and core.istuple(k) then
      return M.call(o, unpack(k, 1, k.n))
    end
    return M.call(o, ...)
  elseif type(o) ~= "table" and type(o) ~= "userdata" then
    exc.fail("TypeError", ("'%s' object is not subscriptable"):format(core.typename(o)))
  elseif late.scalar_type and late.scalar_type(o) then
    exc.fail("IndexError", "invalid index to scalar variable.")
  end
  no_new_axes(...)
  if n > 1 then
    return from_lua(o[plain_list {n = n, ...}])
  elseif isplain(o) and mtype(k) == "integer" then
    return from_lua(o[k < 0 and #o + k + 1 or k + 1])
  end
  return from_lua(o[to_lua(k)])
end

function late.foreign_setindex(o, v, ...)
  no_floats(...)
  if M.tensor_put and tensor.istensor(o) then
    return M.tensor_put(o, v, ...)
  end
  local n = select("#", ...)
  local k = ...
  if type(o) ~= "table" and type(o) ~= "userdata" or late.scalar_type and late.scalar_type(o) then
    exc.fail("TypeError", ("'%s' object does not support item assignment"):format(core.typename(o)))
  elseif n > 1 then
    o[plain_list {n = n, ...}] = to_lua(v)
  elseif isplain(o) and mtype(k) == "integer" then
    o[k < 0 and #o + k + 1 or k + 1] = to_lua(v)
  else
    o[to_lua(k)] = to_lua(v)
  end
end

-- The rest ------------------------------------------------------------------------------------------

-- An iterator over a foreign value: functions are iterators of Lua's; else by index from 0.
function late.foreign_iter(v, ...)
  if type(v) == "function" then
    return v, ...
  elseif isplain(v) then
    local i = 0
    return function()
      i = i + 1
      if v[i] ~= nil then
        return from_lua(v[i])
      end
    end
  end
  if not tensor.istensor(v) then
    return nil
  elseif v.ndim == 0 then
    exc.fail("TypeError", M.arrays[v] and "iteration over a 0-d array" or "iteration over a 0-d tensor")
  end
  local i, n = -1, #v
  return function()
    i = i + 1
    if i < n then
      if M.arrays[v] then
        local e = v[i]
        return tensor.istensor(e) and M.array(e) or require("moontile.python.numpy_scalar").number(v.dtype, e)
      end
      return M.tensor_at and M.tensor_at(v, i) or from_lua(v[i])
    end
  end
end

function late.foreign_length(o)
  local mt = getmt(o)
  if tensor.istensor(o) and o.ndim == 0 then
    exc.fail("TypeError", M.arrays[o] and "len() of unsized object" or "len() of a 0-d tensor")
  end
  if isplain(o) or mt and mt.__len then
    return #o
  end
end

-- A foreign value as a condition: a tensor of one element is that.
function late.foreign_truth(v)
  if not tensor.istensor(v) then
    return digits.is(v) and v() or v ~= nil and v ~= false
  end
  local n = 1
  for _, extent in ipairs(v.shape) do
    n = n * extent
  end
  if n ~= 1 then
    exc.fail("RuntimeError", "Boolean value of Tensor with more than one value is ambiguous")
  end
  local x = v:item()
  return x ~= 0 and x ~= false
end

-- An integer tensor of one element where an index is wanted; nil: it is none
function late.foreign_integer(v)
  if tensor.istensor(v) and v:numel() == 1 and not v.dtype:find "float" then
    return math.tointeger(v:item())
  end
end

-- Is v a tensor whose value nobody has computed (tl/dry.lua)?
function M.unseen(v)
  return tensor.istensor(v) and tensor.unseen(v)
end
late.unseen = M.unseen

-- What format() writes of it.
function late.foreign_value(v)
  if tensor.istensor(v) then
    return v:item()
  end
  return tostring(v)
end

-- The number that a tensor of one element is; nil: it is none.
function late.number(v)
  return tensor.istensor(v) and v:numel() == 1 and not tensor.unseen(v) and v:item() or nil
end

-- A tensor without dimensions, which format() writes as its number.
function late.scalar(v)
  return tensor.istensor(v) and v.ndim == 0 and not tensor.unseen(v)
end

function late.foreign_instance(v, cls)
  return type(cls) == "table" and getmt(v) == cls
end

-- __enter__ and __exit__ of a foreign value, or nil.
function late.foreign_manager(v)
  local mt = getmt(v)
  if type(v) ~= "table" or not mt or not mt.__close then
    return nil
  end
  return {function() return v end, function() mt.__close(v) return None end}
end

-- f() if c else g(), where c is known only when the kernel runs
function late.foreign_choose(c, f, g)
  local T = package.loaded["moontile.T"]
  return stage.if_then_else(T.if_then_else, c, f, g)
end

return M
