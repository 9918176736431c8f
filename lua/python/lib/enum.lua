-- python/lib/enum.lua: Python's module enum.
--
-- Members are instances of their class with name and value; their class keeps them in `members`.

local attr = require "moontile.python.attr"
local class = require "moontile.python.class"
local core = require "moontile.python.core"
local dict = require "moontile.python.dict"
local equal = require "moontile.python.equal"
local exc = require "moontile.python.exc"
local func = require "moontile.python.func"
local iter = require "moontile.python.iter"
local native = require "moontile.python.native"
local ops = require "moontile.python.ops"

local M = {}

local types = core.types
local getmt = debug.getmetatable
local repr, str = core.late.repr, core.late.str

-- Where members keep these.
local NAME, VALUE = {}, {}

local Auto = {__name = "auto"}
M.auto = native.make("auto", "", function() return setmetatable({}, Auto) end)

local function property(f)
  return setmetatable({fget = native.make("value", "self", f)}, attr.Property)
end

local function by_value(cls, v)
  if getmt(v) and getmt(v).__pyclass == cls then
    return v
  end
  for _, m in dict.each(cls.members) do
    if equal.same(m[VALUE], v) then
      return m
    end
  end
end

-- A member of a Flag for a combination of bits.
local function flag(cls, bits)
  local m = by_value(cls, bits)
  if not m then
    local names = {}
    for name, member in dict.each(cls.members) do
      if member[VALUE] ~= 0 and bits & member[VALUE] == member[VALUE] then
        names[#names + 1] = name
      end
    end
    m = setmetatable({[NAME] = #names > 0 and table.concat(names, "|") or core.None, [VALUE] = bits}, cls.meta)
    if cls.kind == "int" then
      m[core.BOX] = bits
    end
  end
  return m
end

-- The class of classes, for what is asked of an Enum class itself
local EnumType = class.make("EnumType", {types.type}, {}, {})
EnumType.module = "enum"
M.EnumMeta, M.EnumType = EnumType, EnumType

local function members(cls)
  local l = {}
  for name, m in dict.each(cls.members) do
    if m[NAME] == name then
      l[#l + 1] = m
    end
  end
  return l
end

for head, fn in pairs {
  ["__iter__(cls)"] = function(cls) return iter.object(core.list(members(cls))) end,
  ["__len__(cls)"] = function(cls) return #members(cls) end,
  ["__getitem__(cls, name)"] = function(cls, name)
    local m = dict.get(cls.members, name)
    if not m then
      exc.throw(exc.make(exc.classes.KeyError, name))
    end
    return m
  end,
  ["__contains__(cls, member)"] = function(cls, m) return by_value(cls, m) ~= nil end,
} do
  local name, spec = head:match "^([%w_]+)%((.*)%)$"
  core.class_set(EnumType, name, native.make(name, spec, fn))
end
core.class_set(EnumType, "__members__", setmetatable({fget = native.make("__members__", "cls", function(cls)
  return dict.copy(cls.members)
end)}, attr.Property))

local Enum = class.make("Enum", {types.object}, {}, {})
Enum.module, Enum.metaclass, Enum.members = "enum", EnumType, dict.new()
M.Enum = Enum

-- The value of auto() behind `last`: one more; of a Flag the next bit; of a StrEnum the name
local function next_value(cls, name, last)
  if core.subclass(cls, M.StrEnum) then
    return name:lower()
  elseif core.subclass(cls, M.Flag) then
    local bit = 1
    while last and bit <= last do
      bit = bit << 1
    end
    return bit
  end
  return (math.type(last) == "integer" and last or 0) + 1
end

local function add_member(cls, name, given, last)
  local v = given
  if getmt(v) == Auto then
    local f = cls.lookup._generate_next_value_
    v = f and func.call(getmt(f) == attr.Static and f.f or f, name, 1, cls.members.n, core.list {}) or
      next_value(cls, name, last)
  end
  local twin = by_value(cls, v)
  if twin then
    dict.put(cls.members, name, twin)
    core.class_set(cls, name, twin)
    return v
  end
  local m = setmetatable({[NAME] = name, [VALUE] = v}, cls.meta)
  if cls.kind == "int" or cls.kind == "str" or cls.kind == "float" then
    m[core.BOX] = v
  end
  dict.put(cls.members, name, m)
  core.class_set(cls, name, m)
  local init = cls.special.__init__
  if init then
    local args = getmt(v) == core.Tuple and v or core.pack(v)
    func.call(init, m, table.unpack(args, 1, args.n))
  end
  return v
end

local function is_member(v)
  local mt = getmt(v)
  return not (type(v) == "function" and core.sigs[v]) and mt ~= attr.Property and mt ~= attr.Static
    and mt ~= attr.Classmethod and mt ~= core.Type
end

Enum.native_subclass = function(cls)
  local names, last = {}, nil
  cls.members, cls.metaclass = dict.new(), EnumType
  for _, name in ipairs(cls.order) do
    if not name:find "^_" and is_member(cls.dict[name]) then
      names[#names + 1] = name
    end
  end
  for _, name in ipairs(names) do
    local v = cls.dict[name]
    core.class_delete(cls, name)
    last = add_member(cls, name, v, last)
  end
  cls.construct = native.make(cls.name, "value, names?", function(v)
    local m = by_value(cls, v)
    if not m and core.subclass(cls, M.Flag) and math.type(v) == "integer" then
      return flag(cls, v)
    elseif not m and cls.lookup._missing_ then
      m = func.call(attr.attr(cls, "_missing_"), v)
      m = m ~= core.None and m or nil
    end
    if not m then
      exc.fail("ValueError", ("%s is not a valid %s"):format(repr(v), cls.qualname or cls.name))
    end
    return m
  end)
end

for head, fn in pairs {
  ["__repr__(self)"] = function(m)
    return ("<%s.%s: %s>"):format(core.typename(m), m[NAME], repr(m[VALUE]))
  end,
  ["__str__(self)"] = function(m)
    if core.kind(m) == "int" and core.subclass(core.class_of(m), M.IntEnum) or core.subclass(core.class_of(m), M.StrEnum) then
      return str(m[VALUE])
    end
    return core.typename(m) .. "." .. m[NAME]
  end,
  ["__hash__(self)"] = function(m) return equal.hash(m[core.BOX] ~= nil and m[VALUE] or m[NAME]) end,
} do
  local name, spec = head:match "^([%w_]+)%((.*)%)$"
  core.class_set(Enum, name, native.make("Enum." .. name, spec, fn))
end
core.class_set(Enum, "name", property(function(m) return m[NAME] end))
core.class_set(Enum, "value", property(function(m) return m[VALUE] end))
core.class_set(Enum, "_name_", property(function(m) return m[NAME] end))
core.class_set(Enum, "_value_", property(function(m) return m[VALUE] end))

local function derived(name, bases)
  local cls = class.make(name, bases, {}, {})
  cls.module, cls.members = "enum", dict.new()
  M[name] = cls
  return cls
end
M.StrEnum, M.Flag, M.IntEnum = Enum, Enum, Enum -- while they are made
local made = {derived("IntEnum", {types.int, Enum}), derived("StrEnum", {types.str, Enum}), derived("Flag", {Enum}),
  derived("IntFlag", {types.int, Enum})}
M.Flag, M.IntFlag = made[3], made[4]

local function bits(f)
  return function(a, b)
    local other = getmt(b) and getmt(b).__user and b[VALUE] or b
    if math.type(other) ~= "integer" then
      return core.NotImplemented
    end
    return flag(core.class_of(a), f(a[VALUE], other))
  end
end
M["ReprEnum"] = Enum
for _, cls in ipairs {M.Flag, M.IntFlag} do
  core.class_set(cls, "__or__", native.make("__or__", "self, other", bits(ops.bor)))
  core.class_set(cls, "__and__", native.make("__and__", "self, other", bits(ops.band)))
  core.class_set(cls, "__xor__", native.make("__xor__", "self, other", bits(ops.bxor)))
  core.class_set(cls, "__bool__", native.make("__bool__", "self", function(m) return m[VALUE] ~= 0 end))
  core.class_set(cls, "__contains__", native.make("__contains__", "self, other", function(a, b)
    return b[VALUE] & a[VALUE] == b[VALUE]
  end))
end

M.unique = native.make("unique", "enumeration", function(cls) return cls end)
M.member, M.nonmember = M.unique, M.unique

return M
