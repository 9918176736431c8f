-- python/attr.lua: o.name, o.name = v, del o.name, on every value.
--
-- Instances: their own attributes, then those of their class, of which functions become methods
-- and descriptors (property, staticmethod, classmethod, __get__) are asked.  Built-in values have
-- those of their class; modules, functions, classes their own; foreign values what Lua gives.

local core = require "moontile.python.core"
local dict = require "moontile.python.dict"
local exc = require "moontile.python.exc"
local func = require "moontile.python.func"
local native = require "moontile.python.native"
local near_names = require "moontile.python.near"

local M = {}

local sigs, late = core.sigs, core.late
local getmt, type, rawget = debug.getmetatable, type, rawget
local call, bound = func.call, func.bound

-- Descriptors -----------------------------------------------------------------------------------

M.Property = {__name = "property", __kind = "property"}
M.Static = {__name = "staticmethod", __kind = "staticmethod"}
M.Classmethod = {__name = "classmethod", __kind = "classmethod"}
M.Super = {__name = "super", __kind = "super"}
local Property, Static, Classmethod, Super = M.Property, M.Static, M.Classmethod, M.Super
for _, meta in ipairs {Property, Static, Classmethod, Super} do
  core.types[meta.__name] = core.builtin(meta.__name, meta)
end

-- Kinds whose methods take the value of Lua's that an object is made of.
local boxes = {str = true, int = true, float = true}

-- What class attribute v is for object o of class cls.
local function bind(v, o, cls)
  if type(v) == "function" then
    local sig = sigs[v]
    if sig and sig.owner and boxes[sig.owner.kind] then
      o = core.unbox(o)
    end
    return sig and bound(v, o) or v
  end
  local mt = getmt(v)
  if mt == Property then
    if v.fget == core.None then
      exc.fail("AttributeError", "unreadable attribute")
    end
    return call(v.fget, o)
  elseif mt == Static then
    return v.f
  elseif mt == Classmethod then
    return bound(v.f, cls)
  elseif mt and mt.__user and mt.__pyclass.special.__get__ then
    return call(mt.__pyclass.special.__get__, v, o, cls)
  end
  return v
end

-- What class attribute v is, asked of the class.
local function bind_class(v, cls)
  local mt = getmt(v)
  if mt == Static then
    return v.f
  elseif mt == Classmethod then
    return bound(v.f, cls)
  elseif mt and mt.__user and mt.__pyclass.special.__get__ then
    return call(mt.__pyclass.special.__get__, v, core.None, cls)
  end
  return v
end

-- Names that any value has ------------------------------------------------------------------------

-- Attributes of functions that the user sets.
local function_own = setmetatable({}, {__mode = "k"})

-- The attributes of o as a dict, in the order in which its class met them.
local function own_dict(o)
  local own, mt = core.own(o), getmt(o)
  local d = dict.new()
  if own then
    for _, name in ipairs(mt.__pyclass.seen) do
      if own[name] ~= nil then
        dict.put(d, name, own[name])
      end
    end
  elseif mt == core.Type then
    return dict.named(o.order, o.dict)
  elseif mt == core.Module then
    local names = {}
    for name in pairs(o) do
      names[#names + 1] = name
    end
    table.sort(names)
    return dict.named(names, o)
  elseif type(o) == "function" then
    return function_own[o] or d
  else
    return nil
  end
  return d
end
M.own_dict = own_dict

-- Of an object that was asked for its __dict__, or given one: that dict, which follows it; whether there is any;
-- and of such a dict the objects whose it is.
local followers, followed = setmetatable({}, {__mode = "k"}), false
local owners = setmetatable({}, {__mode = "k"})

-- o's own attribute name becomes v, nil: it goes.
local function place(o, name, v)
  local own, cls = core.own(o), getmt(o).__pyclass
  if own[name] == nil and not cls.attrs[name] and v ~= nil then
    cls.attrs[name] = true
    cls.seen[#cls.seen + 1] = name
  end
  own[name] = v
end

-- d gets what it lacks or has otherwise, without telling its object.
local function follow(d, name, v)
  local change = d.frozen
  d.frozen = nil
  if v == nil then
    dict.remove(d, name)
  else
    dict.put(d, name, v)
  end
  d.frozen = change
end

-- Attribute name of o is v now, nil: gone.
function M.changed(o, name, v)
  local d = followed and followers[o]
  if d then
    follow(d, name, v)
    for other in pairs(owners[d]) do
      if not rawequal(other, o) then
        place(other, name, v)
      end
    end
  end
end

-- From now on d is o's __dict__.
local function share(o, d)
  followers[o], followed = d, true
  owners[d] = owners[d] or setmetatable({}, {__mode = "k"})
  owners[d][o] = true
  dict.watch(d, function(k, v)
    for one in pairs(owners[d]) do
      place(one, k, v)
    end
  end)
end

-- o's dict from before as o is now: d.
local function caught_up(old, d)
  local gone = {}
  for k in dict.each(old) do
    gone[#gone + 1] = not dict.has(d, k) and k or nil
  end
  for _, k in ipairs(gone) do
    follow(old, k)
  end
  for k, v in dict.each(d) do
    if not rawequal(dict.get(old, k), v) then
      follow(old, k, v)
    end
  end
  return old
end

-- The same as a program sees it: what it changes there changes o, and the other way round.
local function live_dict(o)
  local d, mt = own_dict(o), getmt(o)
  if d == nil or type(o) == "function" then
    function_own[o] = type(o) == "function" and d or nil
  elseif core.own(o) then
    if followers[o] then
      return caught_up(followers[o], d)
    end
    share(o, d)
  elseif mt == core.Type then
    dict.watch(d, function() exc.fail("TypeError", "'mappingproxy' object does not support item assignment") end)
  elseif mt == core.Module then
    dict.watch(d, function(k, v) o[k] = v end)
  end
  return d
end
M.live_dict = live_dict

local function class_doc(cls)
  return cls.dict.__doc__ or core.None
end

local function list_of(t)
  return core.tuple(table.move(t, 1, #t, 1, {}))
end

-- Names of classes.
local of_class = {
  __name__ = function(c) return c.name end, __qualname__ = function(c) return c.qualname or c.name end,
  __module__ = function(c) return c.module or "__main__" end, __doc__ = class_doc,
  __mro__ = function(c) return list_of(c.mro) end, __bases__ = function(c) return list_of(c.bases) end,
  __base__ = function(c) return c.bases[1] or core.None end, __dict__ = live_dict,
  __class__ = function() return core.types.type end,
  mro = function(c)
    return native.make("type.mro", "", function() return core.list(table.move(c.mro, 1, #c.mro, 1, {})) end)
  end,
  __subclasses__ = function(c)
    return native.make("type.__subclasses__", "", function()
      local l = {}
      for sub in pairs(c.subs) do
        l[#l + 1] = sub
      end
      table.sort(l, function(a, b) return a.name < b.name end)
      return core.list(l)
    end)
  end,
}

local function annotations(sig)
  local d = dict.new()
  for i, name in ipairs(sig) do
    local f = sig.annotation and (sig.annotation[i] or sig.annotation[name])
    if f then
      dict.put(d, name, f())
    end
  end
  if sig.returns then
    dict.put(d, "return", sig.returns())
  end
  return d
end

local function defaults(sig)
  local l = {}
  for i = 1, sig.npos do
    l[#l + 1] = sig.default[i]
  end
  return #l > 0 and core.tuple(l) or core.None
end

-- Names of functions.
local of_function = {
  __name__ = function(s) return s.name or "<lambda>" end, __doc__ = function(s) return s.doc or core.None end,
  __qualname__ = function(s) return s.qual or s.name or "<lambda>" end,
  __module__ = function(s) return s.module or (s.native and "builtins" or "__main__") end,
  __annotations__ = function(s) return annotations(s.of and sigs[s.of] or s) end,
  __defaults__ = function(s) return defaults(s) end,
  __self__ = function(s) return s.bound end, __func__ = function(s) return s.of end,
  __dict__ = function(_, f) return live_dict(f) end,
  __class__ = function(_, f) return core.class_of(f) end,
}

local of_any = {
  __class__ = core.class_of, __dict__ = live_dict,
  __doc__ = function(o) return class_doc(core.class_of(o)) end,
  __module__ = function(o) return core.class_of(o).module or "__main__" end,
}

-- Errors --------------------------------------------------------------------------------------

-- All names of a value, for dir() and near ones.
function M.names(o)
  local set, mt = {}, getmt(o)
  if mt == core.Module then
    for name in pairs(o) do
      set[name] = true
    end
    for name in pairs(o[core.OWN] or {}) do
      set[name] = true
    end
    for _, name in ipairs(rawget(o, core.ALSO) or {}) do
      set[name] = true
    end
  elseif mt == core.Type then
    for _, c in ipairs(o.mro) do
      for name in pairs(c.dict) do
        set[name] = true
      end
    end
  else
    local cls = core.class_of(o)
    for _, c in ipairs(cls and cls.mro or {}) do
      for name in pairs(c.dict) do
        set[name] = true
      end
    end
    local d = own_dict(o)
    for name in dict.each(d or dict.new()) do
      set[name] = true
    end
    for _, name in ipairs(not d and core.foreign(o) and late.foreign_names(o) or {}) do
      set[name] = true
    end
  end
  local names = {}
  for name in pairs(set) do
    if type(name) == "string" then
      names[#names + 1] = name
    end
  end
  table.sort(names)
  return names
end

local function described(o)
  local mt = getmt(o)
  if mt == core.Module then
    return ("module '%s'"):format(o.__name__)
  elseif mt == core.Type then
    return ("type object '%s'"):format(o.name)
  end
  return ("'%s' object"):format(core.typename(o))
end

local Shown = 24 -- names that a message lists

-- Raises AttributeError, with the name that was meant.  text: what it says, if that is not Python's own.
function M.missing(o, name, text)
  local names = M.names(o)
  local near = near_names.find(name, names)
  text = text or ("%s has no attribute '%s'"):format(described(o), name)
  local shown = {}
  for _, n in ipairs(names) do
    shown[#shown + 1] = not n:find "^_" and n or nil
  end
  if near and not near:find "^__" then
    exc.fail("AttributeError", text, "py_attribute_near", name, near)
  elseif #shown > 0 and #shown <= Shown then
    exc.fail("AttributeError", text, "py_attribute_names", name, table.concat(shown, ", "))
  end
  exc.fail("AttributeError", text, "py_attribute", name)
end

-- Reading ---------------------------------------------------------------------------------------

-- Methods that object and the built-in types have for super() and explicit calls: kind -> name -> function
M.fallback = {object = {}}

local function fallback(cls, name)
  local t = M.fallback[cls.kind]
  if cls.is_exception and M.fallback.exception[name] then
    return M.fallback.exception[name]
  end
  return t and t[name] or M.fallback.object[name]
end

local function class_attr(cls, name)
  local get = of_class[name]
  if get then
    return get(cls)
  end
  local v = cls.lookup[name]
  if v ~= nil then
    return bind_class(v, cls)
  elseif name == "__annotations__" then
    return dict.new()
  end
  local meta = cls.metaclass
  if meta and meta.special.__getattr__ then
    return call(meta.special.__getattr__, cls, name)
  elseif meta and meta.lookup[name] ~= nil then
    return bind(meta.lookup[name], cls, meta)
  end
  return fallback(cls, name)
end

local function object_attr(o, name, mt)
  local cls = mt.__pyclass
  local v = cls.lookup[name]
  if v ~= nil then
    return bind(v, o, cls)
  elseif of_any[name] then
    return of_any[name](o)
  end
  if mt.__user then
    local f = cls.special.__getattr__
    if f then
      return call(f, o, name)
    end
  end
  local g = fallback(cls, name)
  return g and bound(g, o)
end

local function function_attr(f, name)
  local own = function_own[f]
  if own and dict.has(own, name) then
    return dict.get(own, name)
  end
  local sig = sigs[f]
  local get = of_function[name]
  if get then
    return get(sig, f)
  elseif sig.of then
    return function_attr(sig.of, name)
  end
  local v = core.class_of(f).lookup[name]
  return v ~= nil and bind(v, f) or nil
end

-- super().name: the class after s.cls in the order of the object's
local function super_attr(s, name)
  local o = s.object
  local of = getmt(o) == core.Type and o or core.class_of(o)
  local after = false
  for _, c in ipairs(of.mro) do
    if after and c.dict[name] ~= nil then
      local v = c.dict[name]
      if getmt(o) == core.Type then
        return name == "__new__" and v or type(v) == "function" and v or bind_class(v, o)
      end
      return bind(v, o, of)
    end
    after = after or c == s.cls
  end
  local f = fallback(of, name)
  return f and (name == "__new__" and f or bound(f, o))
end

-- The attribute, or nil.
local function find(o, name)
  local mt = getmt(o)
  if mt == core.Type then
    return class_attr(o, name)
  elseif mt == core.Module then
    local v = o[name]
    if v == nil then
      v = late.module_attr(o, name)
    end
    return v
  elseif mt == Super then
    return super_attr(o, name)
  elseif type(o) == "function" and sigs[o] then
    return function_attr(o, name)
  elseif mt and mt.__pyclass then
    return object_attr(o, name, mt)
  end
  local cls = core.class_of(o)
  if cls and type(o) ~= "function" then
    local v = object_attr(o, name, {__pyclass = cls})
    if v == nil and type(o) == "string" and late.text_attr then
      v = late.text_attr(o, name)
    end
    return v
  elseif mt and mt.__py_attr then
    return mt.__py_attr(o, name)
  end
  return late.foreign_attr(o, name)
end

-- o.name
function M.attr(o, name)
  local mt = getmt(o)
  if mt and mt.__user then
    local own = mt.__own and o or o[core.OWN]
    local v = own and own[name]
    if v ~= nil and type(name) == "string" then
      return v
    end
    local get = mt.__pyclass.special.__getattribute__
    if get then
      return call(get, o, name)
    end
  end
  local v = find(o, name)
  if v == nil then
    M.missing(o, name)
  end
  return v
end
late.attr = M.attr

-- The same past __getattribute__.
function M.attr_past(o, name)
  local v = find(o, name)
  if v == nil then
    M.missing(o, name)
  end
  return v
end

local attribute_error = exc.classes.AttributeError

-- f(...), or nil where it raises AttributeError.
local function unless_missing(f, ...)
  local ok, v = xpcall(f, exc.handler, ...)
  if ok then
    return v
  end
  local e = exc.of(v)
  if e and core.subclass(getmt(e).__pyclass, attribute_error) then
    return nil
  end
  error(v, 0)
end

-- The attribute, or nil: what hasattr and getattr with a default ask.
function M.get(o, name)
  local mt = getmt(o)
  if mt and mt.__user then
    local own = core.own(o)
    if own[name] ~= nil then
      return own[name]
    end
  end
  return unless_missing(find, o, name)
end

-- What o.name(..) calls: a function, and what it gets in front or nil.
function M.method(o, name)
  local mt = getmt(o)
  if not (mt and mt.__pyclass) and core.foreign(o) and not (mt and mt.__py_attr) then
    return late.foreign_method(o, name)
  end
  return M.attr(o, name)
end
late.method = M.method

-- Writing -----------------------------------------------------------------------------------------

local function read_only(o, name)
  if M.get(o, name) ~= nil then
    exc.fail("AttributeError", ("'%s' object attribute '%s' is read-only"):format(core.typename(o), name), nil, name)
  end
  M.missing(o, name)
end

-- o.__dict__ = d: o has its entries as attributes, and no others.
local function replace_dict(o, d)
  if core.kind(d) ~= "dict" then
    exc.fail("TypeError", ("__dict__ must be set to a dictionary, not a '%s'"):format(core.typename(d)))
  elseif rawequal(o, d) then
    exc.fail("NotImplementedError", "an object that is its own __dict__ is not possible here", "py_value", "__dict__")
  end
  local before = followers[o]
  if rawequal(before, d) then
    return
  elseif before then
    owners[before][o] = nil
  end
  local own = core.own(o)
  for _, name in ipairs(getmt(o).__pyclass.seen) do
    own[name] = nil
  end
  for name, v in dict.each(d) do
    place(o, name, v)
  end
  share(o, d)
end

-- o.name = v for an object of a user's class, past its __setattr__.
function M.put(o, name, v)
  if name == "__dict__" then
    return replace_dict(o, v)
  end
  place(o, name, v)
  M.changed(o, name, v)
end

-- The names that a class's __slots__ leave to its objects; false: they take any, as one of its bases names none.
local function slots_of(cls)
  local names = {}
  for _, c in ipairs(cls.mro) do
    local slots = c.dict and c.dict.__slots__
    if slots == nil and c.dict and c ~= core.types.object and c.meta.__user then
      return false
    end
    for _, s in ipairs(type(slots) == "string" and {slots} or slots or {}) do
      if s == "__dict__" then
        return false
      end
      names[s:find "^__" and not s:find "__$" and "_" .. c.name:gsub("^_+", "") .. s or s] = true
    end
  end
  return names
end

-- Raises where the object has no place for the attribute.
local function check_slot(name, cls)
  if cls.slots == nil then
    cls.slots = slots_of(cls)
  end
  if cls.slots and not cls.slots[name] then
    exc.fail("AttributeError", ("'%s' object has no attribute '%s'"):format(cls.name, name), nil, name)
  end
end

local function set_instance(o, name, v, mt)
  local cls = mt.__pyclass
  local set = cls.special.__setattr__
  if set then
    return call(set, o, name, v)
  end
  local d = cls.lookup[name]
  local md = d ~= nil and getmt(d)
  if md == Property then
    if d.fset == core.None or d.fset == nil then
      exc.fail("AttributeError", ("property '%s' of '%s' object has no setter"):format(name, cls.name), nil, name)
    end
    call(d.fset, o, v)
  elseif md and md.__user and md.__pyclass.special.__set__ then
    call(md.__pyclass.special.__set__, d, o, v)
  else
    if cls.lookup.__slots__ ~= nil then
      check_slot(name, cls)
    end
    M.put(o, name, v)
  end
end

-- o.name = v
function M.setattr(o, name, v)
  local mt = getmt(o)
  if mt and mt.__user then
    local cls = mt.__pyclass
    if mt.__own and o[name] ~= nil and not cls.special.__setattr__ and cls.attrs[name] then
      o[name] = v
      M.changed(o, name, v)
      return
    end
    return set_instance(o, name, v, mt)
  elseif mt == core.Type then
    if o.module == "builtins" then
      exc.fail("TypeError", ("cannot set '%s' attribute of immutable type '%s'"):format(name, o.name), nil, name)
    elseif name == "__name__" then
      o.name = v
    else
      core.class_set(o, name, v)
    end
  elseif mt == core.Module then
    o[name] = v
  elseif type(o) == "function" and sigs[o] then
    M.set_function(o, name, v)
  elseif core.foreign(o) then
    late.foreign_setattr(o, name, v)
  else
    read_only(o, name)
  end
end

local renames = {__name__ = "name", __qualname__ = "qual", __doc__ = "doc", __module__ = "module"}

function M.set_function(f, name, v)
  if renames[name] then
    sigs[f][renames[name]] = v
    return
  end
  function_own[f] = function_own[f] or dict.new()
  dict.put(function_own[f], name, v)
end

-- del o.name
function M.delattr(o, name)
  local mt = getmt(o)
  if mt and mt.__user then
    local f = mt.__pyclass.special.__delattr__
    local own = core.own(o)
    local d = mt.__pyclass.lookup[name]
    if f then
      call(f, o, name)
    elseif getmt(d) == Property and d.fdel and d.fdel ~= core.None then
      call(d.fdel, o)
    elseif own[name] ~= nil then
      own[name] = nil
      M.changed(o, name)
    else
      M.missing(o, name)
    end
  elseif mt == core.Type and o.dict[name] ~= nil then
    core.class_delete(o, name)
  elseif mt == core.Module and rawget(o, name) ~= nil then
    o[name] = nil
  elseif function_own[o] and dict.remove(function_own[o], name) then
    return
  else
    M.missing(o, name)
  end
end

return M
