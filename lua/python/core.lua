-- python/core.lua: what the parts of Python's run-time share: the kinds of values, and classes.
--
-- A value's kind is the field __kind of its metatable ("list", "dict", "instance", ..); __pyclass is
-- its class.  A class is a table of metatable Type:
--
--   name, module, doc   texts                 bases, mro   lists of classes, Lua's
--   dict, order         its own names, and their order; values are Python's
--   lookup              name -> value along the mro, kept; nil: there is none
--   special             the same for special methods; false: there is none
--   meta                the metatable of its instances
--   kind                which built-in kind its instances are made of: "instance", "list", "int", ..
--   construct           function(...): what calling it does
--
-- Instances of kind "instance" hold their attributes as plain fields; those of a class that derives
-- from a built-in type hold them in o[core.OWN].  Those made of str, int, float hold the value in
-- o[core.BOX].
--
-- What one part needs of a later one stands in `core.late`, set when that is loaded (init.lua).

local M = {}

local getmt, mtype, type, rawget = debug.getmetatable, math.type, type, rawget
local setmetatable = setmetatable

-- Functions of later parts, by their names: repr, str, call, fail, ..
M.late = {}

M.OWN, M.BOX = setmetatable({}, {__name = "own"}), setmetatable({}, {__name = "box"})
M.ALSO = setmetatable({}, {__name = "also"}) -- of a module: a list of names that it makes when they are asked for

-- Python's functions, the run-time's own among them -> their signatures (func.lua)
M.sigs = setmetatable({}, {__mode = "k"})

local function shown(v)
  return M.late.repr(v)
end

local function kind(name)
  return {__name = name, __kind = name, __tostring = shown}
end

M.List, M.Tuple, M.Dict, M.Set = kind "list", kind "tuple", kind "dict", kind "set"
M.Frozenset, M.Bytes, M.Module, M.Type = kind "frozenset", kind "bytes", kind "module", kind "type"
M.Range, M.Slice, M.Generator = kind "range", kind "slice", kind "generator"

local function single(name, text)
  local mt = {__name = name, __kind = name, __tostring = function() return text end}
  return setmetatable({}, mt), mt
end

local nothing
M.None, nothing = single("NoneType", "None")
M.NoneType = nothing
M.nan = string.unpack("<d", "\0\0\0\0\0\0\xf8\x7f") -- of the sign plus, which 0 / 0 need not have
M.NotImplemented, M.NotImplementedType = single("NotImplementedType", "NotImplemented")
M.Ellipsis, M.EllipsisType = single("ellipsis", "Ellipsis")

-- Making values -------------------------------------------------------------------------

-- The table becomes the object; n: its length, if it is known.
function M.list(t, n)
  t.n = n or #t
  return setmetatable(t, M.List)
end

function M.tuple(t, n)
  t.n = n or #t
  return setmetatable(t, M.Tuple)
end

-- A tuple of the arguments.
function M.pack(...)
  return setmetatable({n = select("#", ...), ...}, M.Tuple)
end

-- Classes -------------------------------------------------------------------------------

local Type = M.Type

-- The first class of cls's mro that has the name -> its value, that class
local function find(cls, name)
  for _, c in ipairs(cls.mro) do
    local v = c.dict[name]
    if v ~= nil then
      return v, c
    end
  end
end
M.find = find

local function caches(cls)
  cls.lookup = setmetatable({}, {__index = function(t, name)
    local v = find(cls, name)
    t[name] = v
    return v
  end})
  cls.special = setmetatable({}, {__index = function(t, name)
    local v = find(cls, name) or false
    t[name] = v
    return v
  end})
end

-- Forgets what cls and those below it have looked up.
local function forget(cls)
  for _, t in ipairs {cls.lookup, cls.special} do
    for k in pairs(t) do
      t[k] = nil
    end
  end
  for sub in pairs(cls.subs) do
    forget(sub)
  end
end

-- cls.name = v
function M.class_set(cls, name, v)
  if cls.dict[name] == nil then
    cls.order[#cls.order + 1] = name
  end
  cls.dict[name] = v
  forget(cls)
end

function M.class_delete(cls, name)
  cls.dict[name] = nil
  for i, k in ipairs(cls.order) do
    if k == name then
      table.remove(cls.order, i)
      break
    end
  end
  forget(cls)
end

-- The next class of a C3 merge: the first head that stands in no tail.
local function good_head(lists)
  for _, l in ipairs(lists) do
    local head = l[1]
    local free = true
    for _, other in ipairs(lists) do
      for i = 2, #other do
        free = free and other[i] ~= head
      end
    end
    if free then
      return head
    end
  end
end

-- Classes in the order in which names are looked for; nil: there is none.
local function c3(cls, bases)
  if #bases == 1 then
    return table.move(bases[1].mro, 1, #bases[1].mro, 2, {cls})
  end
  local lists, mro = {}, {cls}
  for _, b in ipairs(bases) do
    lists[#lists + 1] = table.move(b.mro, 1, #b.mro, 1, {})
  end
  lists[#lists + 1] = table.move(bases, 1, #bases, 1, {})
  while true do
    for i = #lists, 1, -1 do
      if #lists[i] == 0 then
        table.remove(lists, i)
      end
    end
    if #lists == 0 then
      return mro
    end
    local head = good_head(lists)
    if not head then
      return nil
    end
    mro[#mro + 1] = head
    for _, l in ipairs(lists) do
      if l[1] == head then
        table.remove(l, 1)
      end
    end
  end
end

local function kind_of(bases)
  for _, b in ipairs(bases) do
    if b.kind ~= "instance" then
      return b.kind
    end
  end
  return "instance"
end

-- A new class without names of its own; nil where its bases allow no order.  meta: the metatable
-- of its instances, of a built-in type.
function M.new_class(name, bases, meta)
  local cls = {name = name, bases = bases, dict = {}, order = {}, subs = setmetatable({}, {__mode = "k"}),
    attrs = {}, seen = {}}
  cls.mro = c3(cls, bases)
  if not cls.mro then
    return nil
  end
  cls.kind = meta and meta.__kind or kind_of(bases)
  cls.meta = meta or {__name = name, __kind = cls.kind, __tostring = shown}
  cls.meta.__pyclass = cls
  cls.meta.__own = not meta and cls.kind == "instance"
  cls.meta.__user = not meta
  caches(cls)
  for _, b in ipairs(bases) do
    b.subs[cls] = true
    cls.meta.__diag = cls.meta.__diag or b.meta.__diag
    cls.is_exception = cls.is_exception or b.is_exception
  end
  return setmetatable(cls, Type)
end

-- The built-in classes, by name.
local types = {}
M.types = types
types.object = M.new_class("object", {})

-- A built-in class of the kind that meta names.
function M.builtin(name, meta, bases)
  local cls = M.new_class(name, bases or {types.object}, meta or {__name = name, __kind = name})
  cls.module = "builtins"
  return cls
end

-- The classes of what has no metatable of its own, by type, and those of the kinds above.
types.type = M.builtin("type", M.Type)
types.int = M.builtin "int"
types.bool = M.builtin("bool", {__name = "bool", __kind = "bool"}, {types.int})
types.float, types.str = M.builtin "float", M.builtin "str"
types["function"] = M.builtin "function"
types.builtin_function_or_method = M.builtin "builtin_function_or_method"
types.object.module = "builtins"
for _, name in ipairs {"List", "Tuple", "Dict", "Set", "Frozenset", "Bytes", "Module", "Range", "Slice",
  "Generator", "NoneType", "NotImplementedType", "EllipsisType"} do
  local meta = M[name]
  types[meta.__name] = M.builtin(meta.__name, meta)
end

local int, float, fn = types.int, types.float, types["function"]
local native_fn = types.builtin_function_or_method
local by_type = {string = types.str, boolean = types.bool}

-- The class of a value; nil: it is foreign.
function M.class_of(v)
  local mt = getmt(v)
  local cls = mt and mt.__pyclass
  if cls then
    return cls
  end
  local t = mtype(v)
  if t then
    return t == "integer" and int or float
  elseif type(v) == "function" then
    local sig = M.sigs[v]
    return sig and not sig.native and fn or native_fn
  end
  return by_type[type(v)]
end

-- What kind a value is: "int", "str", "list", "instance"; nil: foreign.
function M.kind(v)
  local cls = M.class_of(v)
  return cls and cls.kind
end

-- Is v a tuple, or of a class derived from it?
function M.istuple(v)
  local mt = getmt(v)
  return mt == M.Tuple or mt ~= nil and type(v) == "table" and mt.__kind == "tuple"
end

-- A value's type in messages.
function M.typename(v)
  local cls = M.class_of(v)
  if cls then
    return cls.name
  end
  local mt = getmt(v)
  local name = mt and rawget(mt, "__name")
  name = type(name) == "string" and name:gsub("^moontile%.", "") or type(v)
  if name == "expr" and M.late.scalar_type then
    return M.late.scalar_type(v) or name
  end
  return name == "tensor" and "Tensor" or name
end

-- The special method of a value, looked for in its class; nil: there is none.
function M.special(v, name)
  local mt = getmt(v)
  local cls = mt and mt.__pyclass
  return cls and cls.special[name] or nil
end

-- The same, of classes that the user wrote or the library made.
function M.user_special(v, name)
  local mt = getmt(v)
  return mt and mt.__user and mt.__pyclass.special[name] or nil
end

-- A value that is made of an int, a float or a str as that; others as they are.
function M.unbox(v)
  local mt = getmt(v)
  if mt and mt.__user and v[M.BOX] ~= nil then
    return v[M.BOX]
  end
  return v
end

-- Is class a one of b's?
function M.subclass(a, b)
  for _, c in ipairs(a.mro) do
    if c == b then
      return true
    end
  end
  return false
end

-- Where an object keeps its attributes; nil: it has none.
function M.own(o)
  local mt = getmt(o)
  if not mt or not mt.__user then
    return nil
  elseif mt.__own then
    return o
  end
  local t = o[M.OWN]
  if not t then
    t = {}
    o[M.OWN] = t
  end
  return t
end

-- A set of the metatables with these names.
local function metatables(...)
  local names = {}
  for _, name in ipairs {...} do
    names["moontile." .. name] = true
  end
  return setmetatable({}, {__mode = "k", __index = function(t, mt)
    t[mt] = names[rawget(mt, "__name")] or false
    return t[mt]
  end})
end

-- Of expressions of a kernel and of elements of its buffers, of which no class of Python's has a say; of its buffers.
M.traced = metatables("expr", "region")
M.buffers = metatables("buffer", "region")

-- Foreign: neither Python's, nor a number, text, truth value.
function M.foreign(v)
  local t = type(v)
  if t == "table" then
    local mt = getmt(v)
    return not (mt and mt.__pyclass)
  end
  return t == "userdata" or t == "thread" or t == "function" and not M.sigs[v]
end

return M
