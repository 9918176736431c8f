-- python/lib/dataclasses.lua: Python's module dataclasses.

local attr = require "moontile.python.attr"
local core = require "moontile.python.core"
local dict = require "moontile.python.dict"
local equal = require "moontile.python.equal"
local exc = require "moontile.python.exc"
local func = require "moontile.python.func"
local iter = require "moontile.python.iter"
local native = require "moontile.python.native"

local M = {}

local getmt = debug.getmetatable
local None, call = core.None, func.call
local repr, truth = core.late.repr, core.late.truth

local MISSING = setmetatable({}, {__name = "MISSING", __tostring = function() return "<dataclasses.MISSING>" end})
M.MISSING = MISSING

local Field = {__name = "Field", __kind = "Field", __user = true, __own = true}
local field_class = core.builtin("Field", Field)
field_class.module = "dataclasses"
Field.__own, Field.__user = true, true

-- A field as field() gives it; nil where nothing was said.
local function new_field(default, factory, init, shown, hashed, compare, kw_only)
  return setmetatable({default = default, default_factory = factory, init = init ~= false, repr = shown ~= false,
    hash = hashed, compare = compare ~= false, kw_only = kw_only == true, metadata = dict.new()}, Field)
end

M.field = native.make("field", "*, default, default_factory, init, repr, hash, compare, kw_only, metadata",
  function(kw)
    local function get(name) return kw and dict.get(kw, name) end
    local f = new_field(get "default", get "default_factory", get "init", get "repr", get "hash", get "compare",
      get "kw_only")
    f.metadata = get "metadata" or f.metadata
    return f
  end)

local mutable = {list = true, dict = true, set = true}

-- Is the annotation ClassVar, InitVar, KW_ONLY?
local function marks(note)
  local text = type(note) == "string" and note or repr(note)
  return text:find "ClassVar" ~= nil, text:find "InitVar" ~= nil, text:find "KW_ONLY" ~= nil
end

-- Fields of the bases, then those of the class's annotations, in order; a list by position and by name.
local function fields_of(cls, kw_only)
  local list = {}
  local function put(f)
    for i, old in ipairs(list) do
      if old.name == f.name then
        list[i] = f
        return
      end
    end
    list[#list + 1] = f
  end
  for i = #cls.mro, 2, -1 do
    for _, f in ipairs(cls.mro[i].fields or {}) do
      put(f)
    end
  end
  for name, note in dict.each(cls.dict.__annotations__ or dict.new()) do
    local class_var, init_var, marker = marks(note)
    local v = cls.dict[name]
    if marker then
      kw_only = true
    elseif not class_var then
      local f = getmt(v) == Field and v or new_field(v)
      f.name, f.type, f.init_only = name, note, init_var
      f.kw_only = f.kw_only or kw_only
      if mutable[core.kind(f.default) or ""] then
        exc.fail("ValueError", ("mutable default %s for field %s is not allowed: use default_factory"):format(
          repr(core.class_of(f.default)), name))
      end
      put(f)
      if getmt(v) == Field then
        if f.default ~= nil then
          core.class_set(cls, name, f.default)
        else
          core.class_delete(cls, name)
        end
      end
    end
  end
  return list
end

-- __init__ of these fields
local function make_init(cls, fields, frozen)
  local sig = {name = "__init__", qual = cls.name .. ".__init__", default = {}, "self"}
  local by = {}
  for pass = 1, 2 do
    for _, f in ipairs(fields) do
      if f.init and f.kw_only == (pass == 2) then
        sig[#sig + 1] = f.name
        by[f.name] = #sig
        local has = f.default ~= nil or f.default_factory ~= nil
        if has then
          sig.default[#sig] = f.default ~= nil and f.default or MISSING
        elseif pass == 1 and sig.default[#sig - 1] ~= nil and #sig > 2 then
          exc.fail("TypeError", ("non-default argument '%s' follows default argument"):format(f.name))
        end
      end
    end
    if pass == 1 then
      sig.npos = #sig
    end
  end
  local set = frozen and attr.put or attr.setattr
  return func.func(sig, function(s)
    return function(...)
      local values = {func.args(s, ...)}
      local self, later = values[1], {}
      for _, f in ipairs(fields) do
        local v = by[f.name] and values[by[f.name]] or nil
        if v == nil and by[f.name] then
          v = values[by[f.name]]
        end
        if v == MISSING or v == nil and not by[f.name] then
          v = f.default
          if f.default_factory then
            v = call(f.default_factory)
          end
        end
        if f.init_only then
          later[#later + 1] = v
        elseif v ~= nil then
          set(self, f.name, v)
        end
      end
      local post = core.special(self, "__post_init__")
      if post then
        call(post, self, table.unpack(later))
      end
      return None
    end
  end)
end

local function values_of(o, fields, wanted)
  local t = {}
  for _, f in ipairs(fields) do
    if f[wanted] and not f.init_only then
      t[#t + 1] = attr.attr(o, f.name)
    end
  end
  return core.tuple(t)
end

local function shown(o, fields)
  local parts = {}
  for _, f in ipairs(fields) do
    if f.repr and not f.init_only then
      parts[#parts + 1] = f.name .. "=" .. repr(attr.attr(o, f.name))
    end
  end
  local cls = core.class_of(o)
  return (cls.qualname or cls.name) .. "(" .. table.concat(parts, ", ") .. ")"
end

local open = {} -- objects whose repr is being written

local function guarded_repr(fields)
  return function(o)
    if open[o] then
      return "..."
    end
    open[o] = true
    local ok, s = pcall(shown, o, fields)
    open[o] = nil
    return ok and s or error(s, 0)
  end
end

local function compared(cls, fields, name, op)
  core.class_set(cls, name, native.make(name, "self, other", function(a, b)
    if core.class_of(a) ~= core.class_of(b) then
      return core.NotImplemented
    end
    return equal[op](values_of(a, fields, "compare"), values_of(b, fields, "compare"))
  end))
end

local function frozen_methods(cls)
  local function refuse(text)
    return function(o, name)
      if core.class_of(o).frozen then
        local e = exc.make(M.FrozenInstanceError, ("cannot %s field '%s'"):format(text, name))
        exc.throw(e, name)
      end
      return None
    end
  end
  core.class_set(cls, "__setattr__", native.make("__setattr__", "self, name, value", refuse "assign to"))
  core.class_set(cls, "__delattr__", native.make("__delattr__", "self, name", refuse "delete"))
end

-- Adds what the options ask for to cls.
local function process(cls, opt)
  local function on(name, default)
    local v = opt and dict.get(opt, name)
    if v == nil then
      return default
    end
    return truth(v)
  end
  local frozen = on("frozen", false)
  local fields = fields_of(cls, on("kw_only", false))
  cls.fields, cls.frozen = fields, frozen
  local function add(name, f)
    if cls.dict[name] == nil or name == "__hash__" then
      core.class_set(cls, name, f)
    end
  end
  if on("init", true) then
    add("__init__", make_init(cls, fields, frozen))
  end
  if on("repr", true) then
    add("__repr__", native.make("__repr__", "self", guarded_repr(fields)))
  end
  if on("eq", true) then
    if cls.dict.__eq__ == nil then
      compared(cls, fields, "__eq__", "eq")
    end
    if frozen or on("unsafe_hash", false) then
      add("__hash__", native.make("__hash__", "self", function(o)
        return equal.hash(values_of(o, fields, "compare"))
      end))
    elseif cls.dict.__hash__ == nil then
      add("__hash__", None)
    end
  end
  if on("order", false) then
    for name, op in pairs {__lt__ = "lt", __le__ = "le", __gt__ = "gt", __ge__ = "ge"} do
      compared(cls, fields, name, op)
    end
  end
  if frozen then
    frozen_methods(cls)
  end
  local d = dict.new()
  for _, f in ipairs(fields) do
    dict.put(d, f.name, f)
  end
  core.class_set(cls, "__dataclass_fields__", d)
  if on("slots", false) then
    local own = {}
    for name in dict.each(cls.dict.__annotations__ or dict.new()) do
      local f = dict.get(d, name)
      own[#own + 1] = f and not f.init_only and name or nil
    end
    core.class_set(cls, "__slots__", core.tuple(own))
    cls.slots = nil
  end
  core.class_set(cls, "__match_args__", core.tuple {})
  return cls
end

M.dataclass = native.make("dataclass", "*, init, repr, eq, order, unsafe_hash, frozen, kw_only, slots, match_args",
  function(kw, cls)
    if cls ~= nil and cls ~= None then
      return process(cls, kw)
    end
    return native.make("dataclass", "cls", function(c) return process(c, kw) end)
  end)

local function fields(o)
  local cls = getmt(o) == core.Type and o or core.class_of(o)
  if not (cls and cls.fields) and not (cls and cls.lookup.__dataclass_fields__) then
    exc.fail("TypeError", "must be called with a dataclass type or instance")
  end
  for _, c in ipairs(cls.mro) do
    if c.fields then
      return c.fields
    end
  end
end

-- A value with the dataclasses in it as dicts (or tuples).
local function plain(v, as)
  local cls = core.class_of(v)
  local kind = core.kind(v)
  if cls and cls.lookup.__dataclass_fields__ and getmt(v) ~= core.Type then
    return as(v)
  elseif kind == "list" or kind == "tuple" then
    local t = {}
    for i = 1, v.n do
      t[i] = plain(v[i], as)
    end
    return setmetatable({n = v.n, table.unpack(t)}, getmt(v))
  elseif kind == "dict" then
    local d = dict.new()
    for k, x in dict.each(v) do
      dict.put(d, plain(k, as), plain(x, as))
    end
    return d
  end
  return v
end

-- Without those that __init__ alone takes.
local function kept(o)
  local list = {}
  for _, f in ipairs(fields(o)) do
    list[#list + 1] = not f.init_only and f or nil
  end
  return list
end

local function asdict(o, factory)
  if factory ~= nil then
    local pairs_of = {}
    for i, f in ipairs(kept(o)) do
      pairs_of[i] = core.pack(f.name, plain(attr.attr(o, f.name), function(v) return asdict(v, factory) end))
    end
    return func.call(factory, core.list(pairs_of))
  end
  local d = dict.new()
  for _, f in ipairs(kept(o)) do
    dict.put(d, f.name, plain(attr.attr(o, f.name), asdict))
  end
  return d
end

local function astuple(o)
  local t = {}
  for i, f in ipairs(kept(o)) do
    t[i] = plain(attr.attr(o, f.name), astuple)
  end
  return core.tuple(t)
end

native.functions(M, {
  ["asdict(obj, *, dict_factory)"] = asdict, ["astuple(obj)"] = astuple,
  ["fields(class_or_instance)"] = function(o)
    return core.tuple(kept(o))
  end,
  ["is_dataclass(obj)"] = function(o)
    local cls = getmt(o) == core.Type and o or core.class_of(o)
    return cls ~= nil and cls.lookup.__dataclass_fields__ ~= nil
  end,
  ["make_dataclass(cls_name, fields)"] = function(name, list)
    local notes, values, order = dict.new(), {}, {}
    for f in iter.iter(list) do
      local l = type(f) == "string" and core.list {f, core.types.object} or iter.list(f)
      dict.put(notes, l[1], l[2])
      if l[3] ~= nil then
        values[l[1]], order[#order + 1] = l[3], l[1]
      end
    end
    values.__annotations__, order[#order + 1] = notes, "__annotations__"
    return process(require("moontile.python.class").make(name, {core.types.object}, values, order))
  end,
})
M.replace = native.make("replace", "**", function(kw, o)
  local d = dict.new()
  for _, f in ipairs(fields(o)) do
    local given = kw and dict.get(kw, f.name)
    if f.init_only and given == nil and f.default == nil then
      exc.fail("ValueError", ("InitVar '%s' must be specified with replace()"):format(f.name))
    elseif not f.init and given ~= nil then
      exc.fail("ValueError", ("field %s is declared with init=False, it cannot be specified with replace()"):format(f.name))
    elseif f.init and not f.init_only then
      dict.put(d, f.name, attr.attr(o, f.name))
    end
  end
  for k, v in dict.each(kw or dict.new()) do
    dict.put(d, k, v)
  end
  return func.calls(core.class_of(o), core.tuple {}, d)
end)
M.FrozenInstanceError = exc.define("dataclasses", "FrozenInstanceError", "AttributeError")
local generic = require "moontile.python.generic"
M.InitVar, M.KW_ONLY = generic.special "InitVar", generic.special "KW_ONLY"

return M
