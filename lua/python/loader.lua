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
require("moontile.python.torch").install(P)
table.insert(require("moontile.tl.dry").asserts, {P, "assertion"})

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

-- Files of the user's ---------------------------------------------------------

local folders = {} -- where imports look, the running file's first

local function read(path)
  local f <close> = io.open(path, "rb")
  return f and f:read "a"
end

-- The text of a module, and its file; nil: there is none.
local function source(folder, name)
  local base = folder .. name:gsub("%.", "/")
  for _, path in ipairs {base .. ".py", base .. "/__init__.py"} do
    local text = read(path)
    if text then
      return text, path
    end
  end
end

-- Runs a module's text; what it defines are the module's attributes, which it sees as globals.
local function run(name, text, path)
  local m = setmetatable({__name__ = name, __doc__ = P.None, __file__ = path}, core.Module)
  P.imports.loaded[name] = m -- also for those that it imports, which may import it
  local outer = globals(name, "@" .. path)
  local env = setmetatable({}, {__newindex = m, __index = function(_, k)
    local v = rawget(m, k)
    if v == nil then
      v = outer[k]
    end
    return v
  end})
  local f, err = reader.load(text, "@" .. path, env)
  if not f then
    P.imports.loaded[name] = nil
    error(err, 0)
  end
  f()
  return m
end

local Directory = 21 -- EISDIR

local function is_folder(path)
  local f <close> = io.open(path, "rb")
  return f ~= nil and select(3, f:read(1)) == Directory
end

-- A module in a file beside the program's, or below its folder; level: of leading dots.  A folder without
-- an __init__.py is a module too, of what stands in it.
function P.imports.find(name, level)
  for _, folder in ipairs(folders) do
    folder = folder .. ("../"):rep(math.max(level - 1, 0))
    local text, path = source(folder, name)
    if text then
      return run(name, text, path)
    elseif is_folder(folder .. name:gsub("%.", "/")) then
      return setmetatable({__name__ = name}, core.Module)
    end
  end
end

-- A module's first line: what it was called with.
function P.begin(env, ...)
  if rawget(env, "__name__") == "__main__" then
    local list = {env.__file__}
    folders = {type(env.__file__) == "string" and env.__file__:match "^(.*/)[^/]*$" or ""}
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
