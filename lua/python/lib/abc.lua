-- python/lib/abc.lua: Python's module abc.

local class = require "moontile.python.class"
local core = require "moontile.python.core"
local native = require "moontile.python.native"

local M = {}

M.ABCMeta = class.make("ABCMeta", {core.types.type}, {}, {})
M.ABC = class.make("ABC", {core.types.object}, {}, {})
M.ABC.module, M.ABCMeta.module = "abc", "abc"

M.abstractmethod = native.make("abstractmethod", "funcobj", function(f)
  class.abstract[f] = true
  return f
end)
M.abstractproperty = native.make("abstractproperty", "f", function(f)
  class.abstract[f] = true
  return class.property(f)
end)
M.abstractclassmethod, M.abstractstaticmethod = M.abstractmethod, M.abstractmethod

return M
