-- python/lib/typing.lua: Python's module typing: names for annotations, NamedTuple, TypedDict.

local class = require "moontile.python.class"
local core = require "moontile.python.core"
local dict = require "moontile.python.dict"
local generic = require "moontile.python.generic"
local iter = require "moontile.python.iter"
local native = require "moontile.python.native"

local types = core.types

local M = {TYPE_CHECKING = false}

-- Names that stand for a class, and those that stand for none.
for name, of in pairs {List = "list", Tuple = "tuple", Dict = "dict", Set = "set", FrozenSet = "frozenset",
  Type = "type", Mapping = "dict", MutableMapping = "dict", Text = "str"} do
  M[name] = generic.special(name, types[of])
end
M.Text = types.str
for _, name in ipairs {"Any", "Union", "Optional", "Callable", "Iterable", "Iterator", "Sequence", "MutableSequence",
  "Literal", "ClassVar", "Final", "Annotated", "Generator", "Awaitable", "Coroutine", "AsyncIterator", "Collection",
  "Container", "Hashable", "Sized", "Reversible", "SupportsInt", "SupportsFloat", "SupportsIndex", "NoReturn", "Never",
  "Self", "TypeAlias", "LiteralString", "Concatenate", "Unpack", "Required", "NotRequired", "TypeGuard", "DefaultDict",
  "OrderedDict", "Counter", "Deque", "ChainMap", "IO", "TextIO", "BinaryIO", "Pattern", "Match", "AbstractSet",
  "MutableSet", "KeysView", "ValuesView", "ItemsView", "ContextManager", "AnyStr", "ByteString"} do
  M[name] = generic.special(name)
end

-- Classes that others derive from: they add nothing.
for _, name in ipairs {"Generic", "Protocol"} do
  M[name] = class.make(name, {types.object}, {}, {})
  M[name].module = "typing"
  core.class_set(M[name], "__class_getitem__", setmetatable({f = native.make("__class_getitem__", "cls, params",
    function(cls) return cls end)}, require("moontile.python.attr").Classmethod))
end

local TypeVar = class.make("TypeVar", {types.object}, {}, {})
TypeVar.module = "typing"
TypeVar.native_new = native.make("TypeVar", "**", function(_, name)
  return setmetatable({name = name}, TypeVar.meta)
end)
TypeVar.construct = TypeVar.native_new
core.class_set(TypeVar, "__repr__", native.make("__repr__", "self", function(v) return "~" .. v.name end))
M.TypeVar, M.ParamSpec, M.TypeVarTuple = TypeVar, TypeVar, TypeVar

-- class X(NamedTuple): a: int; b: int = 1
local NamedTuple = class.make("NamedTuple", {types.object}, {}, {})
NamedTuple.module = "typing"
NamedTuple.native_subclass = function(cls)
  require("moontile.python.lib.collections").fields_of(cls)
end
NamedTuple.construct = native.make("NamedTuple", "typename, fields", function(name, fields)
  local names = {}
  for pair in iter.iter(fields) do
    names[#names + 1] = pair[1]
  end
  return require("moontile.python.lib.collections").named(name, names, {})
end)
M.NamedTuple = NamedTuple

local TypedDict = class.make("TypedDict", {types.dict}, {}, {})
TypedDict.module = "typing"
M.TypedDict = TypedDict

local function same(v)
  return v
end

native.functions(M, {
  ["cast(typ, val)"] = function(_, v) return v end, ["overload(func)"] = same, ["final(f)"] = same,
  ["no_type_check(arg)"] = same, ["runtime_checkable(cls)"] = same, ["override(f)"] = same,
  ["NewType(name, tp)"] = function(name) return native.make(name, "x", same) end,
  ["get_type_hints(obj)"] = function(o) return core.late.attr_or_nil(o, "__annotations__") or dict.new() end,
  ["get_origin(tp)"] = function(t) return core.late.attr_or_nil(t, "__origin__") or core.None end,
  ["get_args(tp)"] = function(t) return core.late.attr_or_nil(t, "__args__") or core.tuple {} end,
  ["assert_never(v)"] = same, ["assert_type(val, typ)"] = same, ["reveal_type(v)"] = same,
})

return M
