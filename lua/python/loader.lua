-- python/loader.lua: Python texts as programs: their globals, the files that they import, the way in from Lua.
--
--   load(text, chunk) -> function, or nil, error, incomplete     a file that is run: its __name__ is "__main__"
--   globals(name, chunk) -> the table of a new module's globals
--   tl.python "gemm.py" -> a table of the file's functions and values

local builtins = require "moontile.python.builtins"
local core = require "moontile.python.core"
local diag = require "moontile.diag"
local dry = require "moontile.tl.dry"
local foreign = require "moontile.python.foreign"
local generic = require "moontile.python.generic"
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
  return mt ~= nil and (mt == generic.Generic or mt.__pyclass ~= nil and mt.__user == true)
end
P.isclass = function(v) return debug.getmetatable(v) == core.Type end
P.to_lua, P.from_lua = foreign.to_lua, foreign.from_lua
P.import_star = P.star
require("moontile.python.printed").install(P)
require("moontile.python.late").install(P)
table.insert(dry.asserts, {P, "assertion"})
dry.report = P.report
builtins.out.write = function(s)
  (dry.running and io.stderr or io.stdout):write(s)
end

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
  return P.unbound(name, nil, names)
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

local home = "" -- the running file's folder, of relative imports

local function read(path)
  local f <close> = io.open(path, "rb")
  return f and f:read "a"
end

-- The text of a module, and its file; nil: there is none.
local function source(folder, name)
  local base = folder .. name:gsub("%.", "/")
  for _, path in ipairs {base .. "/__init__.py", base .. ".py"} do
    local text = read(path)
    if text then
      return text, path
    end
  end
end

-- For a block: relative imports are of this folder, that of the module that runs.
local function within(folder)
  local before = home
  home = folder
  return setmetatable({}, {__close = function() home = before end})
end

local packages = {} -- chunk of a module's file -> the package that its relative imports start from
local by_file = {} -- path -> module: a file is one module, whichever way it was imported

-- The package of the module whose text calls; nil: a program's own file, or one that is imported beside it.
function P.imports.package()
  for level = 3, math.huge do
    local f = debug.getinfo(level, "S")
    if not f then
      return nil
    elseif packages[f.source] then
      return packages[f.source] ~= "" and packages[f.source] or nil
    end
  end
end

-- Runs a module's text; what it defines are the module's attributes, which it sees as globals.
local function run(name, text, path)
  if by_file[path] then
    return by_file[path]
  end
  packages["@" .. path] = path:find "/__init__%.py$" and name or name:match "^(.*)%." or ""
  local m = setmetatable({__name__ = name, __doc__ = P.None, __file__ = path}, core.Module)
  P.imports.loaded[name], by_file[path] = m, m -- also for those that it imports, which may import it
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
    P.imports.loaded[name], by_file[path] = nil, nil
    error(err, 0)
  end
  local _ <close> = within(path:match "^(.*/)[^/]*$" or "")
  f()
  return m
end

P.imports.run = run

local Directory = 21 -- EISDIR

local function is_folder(path)
  local f <close> = io.open(path, "rb")
  return f ~= nil and select(3, f:read(1)) == Directory
end

-- A folder as the beginning of a path; "" is the current one.
local function head(folder)
  return (folder == "" or folder:find "/$") and folder or folder .. "/"
end

-- What sys.path is for a file: its own folder, PYTHONPATH's, and behind them, unlike CPython's, the current
-- one: a checkout's files import its packages from wherever they stand in it.
local function places(file)
  local list = {file:match "^(.*)/[^/]*$" or ""}
  for folder in (os.getenv "PYTHONPATH" or ""):gmatch "[^:]+" do
    list[#list + 1] = folder
  end
  list[#list + 1] = list[1] ~= "" and "" or nil
  return list
end

-- Puts them into sys.path, the list that programs may have already.
local function set_path(list)
  local path = P.imports.path
  for i = 1, math.max(path.n, #list) do
    path[i] = list[i]
  end
  path.n = #list
end

-- sys.path as the program has it now.
local function search_path()
  local sys = P.imports.loaded.sys
  return sys and sys.path or P.imports.path
end

-- For a block: this folder comes first.
local function ahead(folder)
  local path = search_path()
  table.move(path, 1, path.n, 2)
  path[1], path.n = folder, path.n + 1
  return setmetatable({}, {__close = function()
    table.move(path, 2, path.n + 1, 1)
    path.n = path.n - 1
  end})
end

-- A module in a file of one of sys.path's folders, or with leading dots (level: how many) beside the
-- program's.  A folder without an __init__.py is a module too, of what stands in it.
function P.imports.find(name, level)
  local list = level > 0 and {home .. ("../"):rep(level - 1)} or search_path()
  for _, folder in ipairs(list) do
    folder = head(tostring(core.unbox(folder)))
    local text, path = source(folder, name)
    if text then
      return run(name, text, path)
    elseif is_folder(folder .. name:gsub("%.", "/")) then
      return setmetatable({__name__ = name}, core.Module)
    end
  end
end

-- The folder above a file, "" of one in the current folder.
local function above(folder)
  local up = folder:match "^(.*/)[^/]+/$"
  return folder == "/" and nil or folder:find "%.%./$" and folder .. "../" or up or folder == "" and "../" or ""
end

-- A folder around that of the module that runs which has a file for this module, as a checkout's top has its packages.
function P.imports.around(name)
  local folder = home
  for _ = 1, 8 do
    folder = above(folder)
    if not folder then
      return nil
    elseif source(folder, name) then
      return folder == "" and "." or folder:match "^(.-)/*$"
    end
  end
end

-- A module's first line: what it was called with.
function P.begin(env, ...)
  if rawget(env, "__name__") == "__main__" then
    P.program = env
    local list = {env.__file__}
    local file = type(env.__file__) == "string" and env.__file__ or ""
    home = file:match "^(.*/)[^/]*$" or ""
    set_path(places(file))
    for i = 1, select("#", ...) do
      list[i + 1] = (select(i, ...))
    end
    P.imports.argv = core.list(list)
  end
end

M.globals = globals

function M.load(text, chunk)
  local f, err, more = reader.load(text, chunk, globals("__main__", chunk))
  if not f then
    return nil, err, more
  end
  return function(...)
    return P.main(f, ...)
  end
end

-- The functions and values that a file defines, as Lua takes them; path: as open() takes it, ".py" may be left out.
function M.python(path)
  if type(path) ~= "string" then
    diag.fail("python_nofile", tostring(path))
  end
  local text = read(path)
  if not text and not path:find "%.py$" then
    path = path .. ".py"
    text = read(path)
  end
  if not text then
    diag.fail("python_nofile", path)
  end
  local _ <close> = ahead(path:match "^(.*)/[^/]*$" or "")
  local m = run(path:match "([^/]*)%.py$" or path, text, path)
  local t = {}
  for name, v in pairs(m) do
    if type(name) == "string" and not name:find "^__" and getmetatable(v) ~= core.Module then
      t[name] = P.to_lua(v)
    end
  end
  return t
end

return M
