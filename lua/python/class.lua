-- python/class.lua: class statements, and what calling a class does.

local attr = require "moontile.python.attr"
local core = require "moontile.python.core"
local diag = require "moontile.diag"
local dict = require "moontile.python.dict"
local exc = require "moontile.python.exc"
local func = require "moontile.python.func"

local M = {}

local sigs, late, types = core.sigs, core.late, core.types
local getmt, setmetatable, select, type = debug.getmetatable, setmetatable, select, type
local call = func.call

-- Functions that @abstractmethod marked.
M.abstract = setmetatable({}, {__mode = "k"})

-- Making instances --------------------------------------------------------------------------------

-- name -> function(o, ...): gives an object of this built-in kind its content when no __init__ is
-- the user's; builtins.lua sets them.
M.fill = {}

-- Kinds that hold one value of Lua's: what their class gives for the arguments.
local boxed = {int = types.int, float = types.float, str = types.str}

local function no_arguments(cls)
  exc.fail("TypeError", ("%s() takes no arguments"):format(cls.name), "py_args", cls.name, cls.name .. "()")
end

local function refuse_abstract(cls)
  local names = {}
  for name in pairs(cls.abstract) do
    names[#names + 1] = name
  end
  table.sort(names)
  exc.fail("TypeError", ("Can't instantiate abstract class %s with abstract method%s %s"):format(cls.name,
    #names > 1 and "s" or "", table.concat(names, ", ")), nil, cls.name)
end

-- An object of cls before its __init__; ...: the positional arguments.
local function allocate(cls, ...)
  local o = setmetatable({}, cls.meta)
  if cls.is_exception then
    o.args = core.pack(...)
  elseif boxed[cls.kind] then
    o[core.BOX] = boxed[cls.kind].construct(...)
  elseif M.fill[cls.kind] then
    M.fill[cls.kind](o)
    if cls.kind == "tuple" or cls.kind == "frozenset" or not cls.special.__init__ then
      M.fill[cls.kind](o, ...)
    end
  end
  return o
end
M.allocate = allocate

-- cls(...) where something is out of the ordinary: __new__, abstract methods, built-in kinds
local function construct(cls, ...)
  if cls.abstract then
    refuse_abstract(cls)
  end
  local new, init = cls.special.__new__, cls.special.__init__
  local o
  if new then
    o = call(getmt(new) == attr.Static and new.f or new, cls, ...)
    local mt = getmt(o)
    if not (mt and mt.__user and core.subclass(mt.__pyclass, cls)) then
      return o
    end
  else
    o = allocate(cls, ...)
  end
  if init then
    call(init, o, ...)
  elseif not new and select("#", ...) > 0 and cls.kind == "instance" and not cls.is_exception then
    no_arguments(cls)
  end
  return o
end

-- The function that calling cls calls.
local function constructor(cls)
  if cls.kind ~= "instance" or cls.is_exception or cls.special.__new__ or cls.abstract then
    return function(...)
      return construct(cls, ...)
    end
  end
  local meta, special = cls.meta, cls.special
  return function(...)
    if special.__new__ then
      return construct(cls, ...)
    end
    local o = setmetatable({}, meta)
    local init = special.__init__
    if init then
      call(init, o, ...)
    elseif select("#", ...) > 0 then
      no_arguments(cls)
    end
    return o
  end
end

-- cls(.., name = value ..)
function M.construct_k(cls, names, ...)
  if cls.meta_call then
    return func.callk(cls.meta_call, names, cls, ...)
  elseif cls.native_new then
    return func.callk(cls.native_new, names, ...)
  elseif cls.abstract then
    refuse_abstract(cls)
  end
  local new, init = cls.special.__new__, cls.special.__init__
  local o
  if new then
    o = func.callk(getmt(new) == attr.Static and new.f or new, names, cls, ...)
    if getmt(o) == nil or not getmt(o).__user then
      return o
    end
  elseif cls.kind ~= "instance" and not init then
    local base = types[cls.kind]
    o = setmetatable({}, cls.meta)
    local v = func.callk(base.native_new or base.construct, names, ...)
    if boxed[cls.kind] then
      o[core.BOX] = v
    else
      for k, x in pairs(v) do
        o[k] = x
      end
    end
    return o
  else
    o = allocate(cls, table.unpack({...}, 1, select("#", ...) - #names))
  end
  if init then
    func.callk(init, names, o, ...)
  elseif not new then
    no_arguments(cls)
  end
  return o
end
late.construct_k = M.construct_k

-- Class statements --------------------------------------------------------------------------------

-- The table that a class's body fills: keeps its names' order.
local function namespace()
  local ns, values, order = {}, {}, {}
  setmetatable(ns, {
    __index = values,
    __newindex = function(_, name, v)
      if values[name] == nil and v ~= nil then
        order[#order + 1] = name
      end
      values[name] = v
    end,
  })
  return ns, values, order
end

-- Abstract methods that a class has not made concrete, or nil.
local function abstract_of(cls)
  local set
  for _, c in ipairs(cls.mro) do
    for name, v in pairs(c.dict) do
      local f = getmt(v) == attr.Property and v.fget or (getmt(v) == attr.Static or getmt(v) == attr.Classmethod)
        and v.f or v
      if M.abstract[f] and cls.lookup[name] == v then
        set = set or {}
        set[name] = true
      end
    end
  end
  return set
end

local function name_methods(cls)
  for _, name in ipairs(cls.order) do
    local v = cls.dict[name]
    local f = getmt(v) == attr.Property and v.fget or (getmt(v) == attr.Static or getmt(v) == attr.Classmethod)
      and v.f or v
    local sig = sigs[f]
    if sig and not sig.native and not sig.qual then
      sig.qual = cls.name .. "." .. name
    end
    local set = core.user_special(v, "__set_name__")
    if set then
      call(set, v, cls, name)
    end
  end
end

-- Bases that are no classes (typing's) become what they stand for.
local function real_bases(bases)
  local list = {}
  for i = 1, bases.n do
    local b = bases[i]
    local mt = getmt(b)
    if mt and mt.__py_base then
      b = mt.__py_base(b)
    end
    if b and getmt(b) ~= core.Type then
      exc.fail("TypeError", ("metaclass conflict or not a class: '%s' object cannot be a base"):format(core.typename(b)))
    elseif b == types.bool or b and b.kind == "function" then
      exc.fail("TypeError", ("type '%s' is not an acceptable base type"):format(b.name))
    end
    list[#list + 1] = b or nil
  end
  if #list == 0 then
    list[1] = types.object
  end
  return list
end

local function init_subclass(cls, kw)
  for i = 2, #cls.mro do
    local c = cls.mro[i]
    if c.native_subclass then
      return c.native_subclass(cls, kw)
    end
    local f = c.dict.__init_subclass__
    if f then
      f = getmt(f) == attr.Classmethod and f.f or f
      return func.calls(f, core.list {cls}, kw)
    end
  end
end

-- Does a user's metaclass define that method?
local function own_hook(meta, name)
  for _, c in ipairs(meta.mro) do
    if c.dict and c.module == "__main__" and rawget(c.dict, name) ~= nil then
      return true
    end
  end
  return false
end

-- A class with these names, a table and their order.
function M.make(name, bases, values, order, kw)
  local cls = core.new_class(name, bases)
  if not cls then
    exc.fail("TypeError", "Cannot create a consistent method resolution\norder (MRO) for bases "
      .. table.concat((function()
        local l = {}
        for i, b in ipairs(bases) do l[i] = b.name end
        return l
      end)(), ", "))
  end
  cls.module = "__main__"
  if values.__eq__ ~= nil and values.__hash__ == nil then
    values.__hash__, order[#order + 1] = core.None, "__hash__"
  end
  local hook = values.__init_subclass__
  if type(hook) == "function" then -- a classmethod without being called one: super() gives it the class, too
    values.__init_subclass__ = setmetatable({f = hook}, attr.Classmethod)
  end
  cls.dict, cls.order = values, order
  local meta = kw and dict.get(kw, "metaclass")
  if kw then
    dict.remove(kw, "metaclass")
  end
  cls.metaclass = meta and meta ~= types.type and getmt(meta) == core.Type and meta or nil
  for _, b in ipairs(bases) do
    cls.metaclass = cls.metaclass or b.metaclass
  end
  for _, method in ipairs {"__new__", "__init__", "__prepare__"} do
    if cls.metaclass and own_hook(cls.metaclass, method) then
      exc.fail("NotImplementedError", ("the metaclass '%s' has a %s, which is not run here: use __init_subclass__ or a class \z
        decorator"):format(cls.metaclass.name, method), "py_value", method)
    end
  end
  name_methods(cls)
  local plain = constructor(cls)
  cls.construct = plain
  init_subclass(cls, kw)
  cls.abstract = abstract_of(cls) -- what __init_subclass__ has added is there
  cls.construct = cls.construct == plain and constructor(cls) or cls.construct
  local by_meta = cls.metaclass and cls.metaclass.lookup.__call__ -- what calling the class does instead
  if by_meta then
    cls.meta_call, cls.construct = by_meta, function(...) return call(by_meta, cls, ...) end
  end
  return cls
end

-- class name(bases, **kw): body(ns) fills ns.  bases: a List; qual: "f.<locals>.A", where it is not the name
function M.class(name, bases, kw, body, qual)
  local ns, values, order = namespace()
  body(ns)
  if values.__del__ ~= nil then
    io.stderr:write(tostring(diag.make("py_left", 2)), "\n")
  end
  if type(values.__doc__) ~= "string" then
    values.__doc__ = nil
  end
  kw = kw and kw.n > 0 and dict.copy(kw) or nil
  local cls = M.make(name, real_bases(bases), values, order, kw)
  cls.qualname = qual
  return cls
end

-- name: annotation in a class's body; thunk() gives what is annotated.
function M.annotate(ns, name, thunk)
  local d = ns.__annotations__
  if not d then
    d = dict.new()
    ns.__annotations__ = d
  end
  dict.put(d, name, thunk and thunk() or core.None)
end

-- super(cls, o)
function M.super(cls, o)
  local of = getmt(o) == core.Type and o or core.class_of(o)
  if getmt(cls) ~= core.Type or not of or not core.subclass(of, cls) then
    exc.fail("TypeError", "super(type, obj): obj must be an instance or subtype of type")
  end
  return setmetatable({cls = cls, object = o}, attr.Super)
end

-- isinstance(v, cls); cls: a class or a tuple of these
function M.isinstance(v, cls)
  local mt = getmt(cls)
  if mt == core.Type then
    local c = getmt(v) == core.Type and v.metaclass or core.class_of(v)
    if cls == types.object then
      return true
    elseif cls.native_check then
      return cls.native_check(v, c)
    end
    return c ~= nil and core.subclass(c, cls)
  elseif mt == core.Tuple then
    for i = 1, cls.n do
      if M.isinstance(v, cls[i]) then
        return true
      end
    end
    return false
  elseif mt and mt.__py_check then
    return mt.__py_check(cls, v)
  elseif core.foreign(cls) then
    return late.foreign_instance(v, cls)
  end
  exc.fail("TypeError", "isinstance() arg 2 must be a type, a tuple of types, or a union")
end

function M.issubclass(a, b)
  if getmt(a) ~= core.Type then
    exc.fail("TypeError", "issubclass() arg 1 must be a class")
  elseif getmt(b) == core.Tuple then
    for i = 1, b.n do
      if M.issubclass(a, b[i]) then
        return true
      end
    end
    return false
  elseif getmt(b) ~= core.Type then
    exc.fail("TypeError", "issubclass() arg 2 must be a class, a tuple of classes, or a union")
  end
  return core.subclass(a, b)
end

-- property(fget, fset, fdel)
function M.property(fget, fset, fdel, doc)
  return setmetatable({fget = fget or core.None, fset = fset or core.None, fdel = fdel or core.None,
    doc = doc or core.None}, attr.Property)
end

return M
