-- python/lib/collections_abc.lua: Python's module collections.abc: what isinstance() asks of containers.

local class = require "moontile.python.class"
local core = require "moontile.python.core"
local generic = require "moontile.python.generic"

local M = {}

local types = core.types

local function has(v, ...)
  for _, name in ipairs {...} do
    if not core.special(v, name) then
      return false
    end
  end
  return true
end

local function kind_in(...)
  local kinds = {}
  for _, k in ipairs {...} do
    kinds[k] = true
  end
  return function(v) return kinds[core.kind(v) or ""] or false end
end

local containers = kind_in("list", "tuple", "dict", "set", "frozenset", "str", "range", "bytes")

-- name -> test of a value
local tests = {
  Iterable = function(v)
    return containers(v) or core.kind(v) == "generator" or core.kind(v) == "iterator" or has(v, "__iter__")
  end,
  Iterator = function(v) return core.kind(v) == "generator" or core.kind(v) == "iterator" or has(v, "__next__") end,
  Callable = function(v) return core.late.truth(require("moontile.python.builtins").functions.callable(v)) end,
  Sequence = kind_in("list", "tuple", "str", "range", "bytes"), MutableSequence = kind_in "list",
  Mapping = kind_in "dict", MutableMapping = kind_in "dict", Set = kind_in("set", "frozenset"),
  MutableSet = kind_in "set", Generator = kind_in "generator",
  Sized = function(v) return containers(v) or has(v, "__len__") end,
  Container = function(v) return containers(v) or has(v, "__contains__") end,
  Collection = function(v) return containers(v) or has(v, "__len__", "__iter__", "__contains__") end,
  Hashable = function(v) return not kind_in("list", "dict", "set")(v) end,
}

for name, test in pairs(tests) do
  local cls = class.make(name, {types.object}, {}, {})
  cls.module = "collections.abc"
  cls.native_check = function(v, c) return test(v) or c ~= nil and core.subclass(c, cls) end
  M[name] = cls
end
for _, name in ipairs {"Awaitable", "Coroutine", "AsyncIterator", "AsyncIterable", "Reversible", "ByteString"} do
  M[name] = generic.special(name)
end

return M
