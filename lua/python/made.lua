-- python/made.lua: classes of modules that are written in Lua.
--
--   made.class("Event", "torch.cuda", {["__init__(self, enable_timing?)"] = function(e, on) .. end})
--
-- A method whose arguments are `**` gets a dict of names (or nil) in front: fn(kw, self, ..).

local attr = require "moontile.python.attr"
local class = require "moontile.python.class"
local core = require "moontile.python.core"
local native = require "moontile.python.native"

local M = {}

-- Methods into a class.
function M.methods(cls, methods)
  for head, fn in pairs(methods) do
    local name, spec = head:match "^([%w_]+)%((.*)%)$"
    core.class_set(cls, name, native.make(cls.name .. "." .. name, spec, fn))
  end
  return cls
end

-- A class of a module; bases: a list of classes or nil.
function M.class(name, module, methods, bases)
  local cls = class.make(name, bases or {core.types.object}, {}, {})
  cls.module = module
  return M.methods(cls, methods)
end

-- Attributes that are computed: name -> function(self)
function M.properties(cls, getters)
  for name, get in pairs(getters) do
    core.class_set(cls, name, setmetatable({fget = native.make(name, "self", get)}, attr.Property))
  end
  return cls
end

-- A class method, function(cls, kw, ..).
function M.classmethod(cls, name, fn)
  core.class_set(cls, name, setmetatable({f = native.make(cls.name .. "." .. name, "**", function(kw, of, ...)
    return fn(of, kw, ...)
  end)}, attr.Classmethod))
end

-- An object of cls with these attributes.
function M.object(cls, values)
  local o = setmetatable({}, cls.meta)
  for k, v in pairs(values or {}) do
    attr.put(o, k, v)
  end
  return o
end

-- A function that takes anything and gives v.
function M.constant(name, v)
  return native.make(name, "**", function() return v end)
end

-- A context manager that changes nothing, with the attributes given.
function M.manager(name, module, values)
  local cls = M.class(name, module, {
    ["__enter__(self)"] = function(m) return m end,
    ["__exit__(self, kind, value, traceback)"] = function() return core.None end,
  })
  return function() return M.object(cls, values) end, cls
end

return M
