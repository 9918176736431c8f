-- python/loader.lua: Python texts as programs: their globals, the files that they import, the way in from Lua.
--
--   load(text, chunk) -> function, or nil, error, incomplete     a file that is run: its __name__ is "__main__"
--   tl.python "gemm.py" -> a table of the file's functions and values

local core = require "moontile.python.core"
local foreign = require "moontile.python.foreign"
local kernel = require "moontile.python.kernel"
local reader = require "moontile.pyreader"
local stage = require "moontile.stage"
local P = require "moontile.python"

local M = {}

P.annotated = P.annotate
P.isrange = function(v) return debug.getmetatable(v) == core.Range end
P.istuple = function(v) return debug.getmetatable(v) == core.Tuple end
-- What typing gives: Optional[int], Callable.
P.isannotation = function(v)
  local mt = debug.getmetatable(v)
  return mt ~= nil and mt.__pyclass ~= nil and mt.__user == true
end
P.isclass = function(v) return debug.getmetatable(v) == core.Type end
P.to_lua, P.from_lua = foreign.to_lua, foreign.from_lua
P.import_star = P.star
require("moontile.python.printed").install(P)
kernel.install(P)
require("moontile.python.tilelang").install(P)

-- Globals ---------------------------------------------------------------------

-- A name of the module or of Python that has no value.
local function unknown(env, name)
  local names = {}
  for k in pairs(env) do
    names[#names + 1] = k
  end
  for k in pairs(P.builtins) do
    names[#names + 1] = k
  end
  return P.unbound(name, false, names)
end

-- The globals of a new module; name: its __name__.
local function globals(name, chunk)
  local env = {__name__ = name, __doc__ = P.None, __file__ = chunk:match "^@(.*)$" or P.None}
  local outer = setmetatable({__py = P, __stage = stage}, {__index = function(_, k)
    local v = P.builtins[k]
    if v == nil then
      v = unknown(env, k)
    end
    return v
  end})
  return setmetatable(env, {__index = outer})
end

-- A module's first line: what it was called with.
function P.begin(env, ...)
  if rawget(env, "__name__") == "__main__" then
    local list = {env.__file__}
    for i = 1, select("#", ...) do
      list[i + 1] = (select(i, ...))
    end
    P.imports.argv = core.list(list)
  end
end

function M.load(text, chunk, name)
  return reader.load(text, chunk, globals(name or "__main__", chunk))
end

return M
