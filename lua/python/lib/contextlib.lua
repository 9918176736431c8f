-- python/lib/contextlib.lua: Python's module contextlib.

local builtins = require "moontile.python.builtins"
local class = require "moontile.python.class"
local control = require "moontile.python.control"
local core = require "moontile.python.core"
local exc = require "moontile.python.exc"
local func = require "moontile.python.func"
local iter = require "moontile.python.iter"
local native = require "moontile.python.native"

local M = {}

local None = core.None

-- A class with these methods, whose instances are made by Lua.
local function library(name, methods)
  local cls = class.make(name, {core.types.object}, {}, {})
  cls.module = "contextlib"
  for head, fn in pairs(methods) do
    local method, spec = head:match "^([%w_]+)%((.*)%)$"
    core.class_set(cls, method, native.make(name .. "." .. method, spec, fn))
  end
  return cls
end

-- Ends the generator of a context manager as the body ended.
local function leave(m, e)
  if e == None then
    if iter.step(m.gen) ~= nil then
      exc.fail("RuntimeError", "generator didn't stop")
    end
    return false
  end
  local ok, err = pcall(iter.throw, m.gen, e)
  if ok then
    exc.fail("RuntimeError", "generator didn't stop after throw()")
  elseif err == e then
    return false
  elseif exc.is(err) and core.typename(err) == "StopIteration" then
    return true
  end
  error(err, 0)
end

local Manager = library("_GeneratorContextManager", {
  ["__enter__(self)"] = function(m)
    local v = iter.step(m.gen)
    if v == nil then
      exc.fail("RuntimeError", "generator didn't yield")
    end
    return v
  end,
  ["__exit__(self, kind, value, traceback)"] = function(m, _, e) return leave(m, e) end,
})
-- As a decorator: the function runs within.
core.class_set(Manager, "__call__", native.make("__call__", "self, func", function(m, f)
  return native.make("inner", "**", function(kw, ...)
    local fresh = setmetatable({gen = m.again()}, Manager.meta)
    local args, r = core.pack(...), nil
    control.with(fresh, function() r = func.calls(f, args, kw) end)
    return r
  end)
end))

M.contextmanager = native.make("contextmanager", "func", function(f)
  return native.make("helper", "**", function(kw, ...)
    local args = core.pack(...)
    local function again()
      return func.calls(f, args, kw)
    end
    return setmetatable({gen = again(), again = again}, Manager.meta)
  end)
end)

M.nullcontext = library("nullcontext", {
  ["__init__(self, enter_result?)"] = function(m, v)
    m.enter_result = v == nil and None or v
    return None
  end,
  ["__enter__(self)"] = function(m) return m.enter_result end,
  ["__exit__(self, kind, value, traceback)"] = function() return None end,
})

M.suppress = library("suppress", {
  ["__enter__(self)"] = function() return None end,
  ["__exit__(self, kind, value, traceback)"] = function(m, kind)
    for i = 1, m.classes.n do
      if kind ~= None and class.issubclass(kind, m.classes[i]) then
        return true
      end
    end
    return false
  end,
})
core.class_set(M.suppress, "__init__", native.make("suppress.__init__", "**", function(_, m, ...)
  m.classes = core.pack(...)
  return None
end))

M.closing = library("closing", {
  ["__init__(self, thing)"] = function(m, v) m.thing = v return None end,
  ["__enter__(self)"] = function(m) return m.thing end,
  ["__exit__(self, kind, value, traceback)"] = function(m) func.method(m.thing, "close") return None end,
})

-- print goes to a file meanwhile.
M.redirect_stdout = library("redirect_stdout", {
  ["__init__(self, new_target)"] = function(m, v) m.target = v return None end,
  ["__enter__(self)"] = function(m)
    m.old = builtins.out.write
    builtins.out.write = function(s) func.method(m.target, "write", s) end
    return m.target
  end,
  ["__exit__(self, kind, value, traceback)"] = function(m) builtins.out.write = m.old return None end,
})

M.ExitStack = library("ExitStack", {
  ["__init__(self)"] = function(m) m.exits = {} return None end,
  ["__enter__(self)"] = function(m) return m end,
  ["enter_context(self, cm)"] = function(m, cm)
    local v = func.method(cm, "__enter__")
    table.insert(m.exits, function(...) return func.method(cm, "__exit__", ...) end)
    return v
  end,
  ["__exit__(self, kind, value, traceback)"] = function(m, kind, e, tb)
    local swallowed = false
    for i = #m.exits, 1, -1 do
      if core.late.truth(m.exits[i](kind, e, tb)) then
        swallowed, kind, e = true, None, None
      end
    end
    return swallowed
  end,
})
core.class_set(M.ExitStack, "callback", native.make("callback", "**", function(kw, m, f, ...)
  local args = core.pack(...)
  table.insert(m.exits, function()
    func.calls(f, args, kw)
    return false
  end)
  return f
end))

M.ContextDecorator, M.AbstractContextManager = library("ContextDecorator", {}), library("AbstractContextManager", {})

return M
