-- python/lib/types.lua: Python's module types.

local attr = require "moontile.python.attr"
local class = require "moontile.python.class"
local core = require "moontile.python.core"
local dict = require "moontile.python.dict"
local native = require "moontile.python.native"

local types = core.types

local M = {FunctionType = types["function"], LambdaType = types["function"], MethodType = types["function"],
  BuiltinFunctionType = types.builtin_function_or_method, GeneratorType = types.generator, NoneType = types.NoneType,
  ModuleType = types.module, EllipsisType = types.ellipsis, NotImplementedType = types.NotImplementedType}

local Simple = class.make("SimpleNamespace", {types.object}, {}, {})
Simple.module = "types"
core.class_set(Simple, "__init__", native.make("SimpleNamespace.__init__", "**", function(kw, o)
  for k, v in dict.each(kw or dict.new()) do
    attr.put(o, k, v)
  end
  return core.None
end))
core.class_set(Simple, "__repr__", native.make("__repr__", "self", function(o)
  local parts = {}
  for k, v in dict.each(attr.own_dict(o)) do
    parts[#parts + 1] = k .. "=" .. core.late.repr(v)
  end
  return "namespace(" .. table.concat(parts, ", ") .. ")"
end))
M.SimpleNamespace = Simple

native.functions(M, {
  ["MappingProxyType(mapping)"] = function(d) return d end,
  ["new_class(name, bases?)"] = function(name) return class.make(name, {types.object}, {}, {}) end,
})

return M
