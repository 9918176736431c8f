-- python.lua: Python at the prompt: its globals, which are the session's, and what its results look like.
--
--     python.compile(text, chunk, whole) -> function, expression?; or nil, error, incomplete?
--         whole: nothing comes behind the text, so that a block at its end has ended
--     python.result(v)     a result as text; nil: None, which is not shown
--     python.open(path)    as session.open, of a file
--     python.names(f)      f(name, value) for each name that Python has beside the session's variables
--     python.peek(name)    the value of any name, or nil
--     python.reset()       forgets the names that only Python sees
--
-- Lua and Python share one set of variables:
--
--     kernels, tensors, layouts, numbers, texts     the same values in both
--     functions      each side calls those of the other with values of its own kind
--     lists, dicts, objects of Python's   Lua has them as they are, and prints them as Python does
--     tables of Lua's    Python gets a copy: a tuple, which cannot be changed without the table, a dict by name, as
--                        fixed, or a module where they hold functions
--
-- What would take a name of Lua's away (`string = "a"`, `import math`) and modules only Python sees.

local core = require "moontile.python.core"
local dict = require "moontile.python.dict"
local diag = require "moontile.diag"
local disk = require "moontile.files"
local P = require "moontile.python"
local reader = require "moontile.pyreader"
local session = require "moontile.prompt"
local tensor = require "moontile.tensor"
local vars = require "moontile.repl.vars"
require "moontile.python.loader" -- what programs have beside the language

local M = {}

local getmt, type = debug.getmetatable, type

-- Names ---------------------------------------------------------------------

local own = {} -- names that only Python sees
local leaves = {} -- functions that leave the prompt, called or not

-- What Lua's texts have by itself, when they name it.
local given = {
  T = function() return P.import_as "tilelang.language" end,
  tl = function() return P.wrap("tl", require "moontile.tl") end,
  plot = function() return require "moontile.layout_viz.plot" end,
}

-- Forgets them.
function M.reset()
  for name in pairs(own) do
    own[name] = nil
  end
  for _, name in ipairs {"exit", "quit"} do
    own[name] = P.native(name, "code?", function(code)
      P.method(P.import_as "sys", "exit", code == nil and P.None or code)
    end)
    leaves[own[name]] = true
  end
  own.help = P.native("help", "object?", function(v)
    local page = v ~= nil and require("moontile.repl.pyhelp").of(v)
    local why = not page and require("moontile.help").show(type(v) == "string" and v or "")
    io.stdout:write(page or why and why .. "\n" or "")
    return P.None
  end)
end
M.reset()

local function hidden(name, v)
  return session.baseline[name] or given[name] or name:find "^__" or getmt(v) == core.Module
end

-- The value of a variable of the session, as Lua has it.
local function shared(name)
  local v = rawget(session.env, name)
  if v == nil and not session.baseline[name] and not given[name] then
    v = rawget(_G, name)
  end
  return v
end

-- The value of a name, or nil; nothing is loaded for it but T, tl and plot.
function M.peek(name)
  local v = own[name]
  if v == nil then
    v = shared(name)
  end
  if v == nil and given[name] then
    v = given[name]()
  end
  if v == nil then
    v = P.builtins[name]
  end
  return v
end

function M.names(f)
  for name, v in pairs(own) do
    f(name, v)
  end
  for name, v in pairs(P.builtins) do
    f(name, v)
  end
end

local function unknown(name)
  local names = {}
  M.names(function(k)
    names[#names + 1] = k
  end)
  vars.each(function(k)
    names[#names + 1] = k
  end)
  return P.unbound(name, false, names)
end

-- A copy of a table of Lua's that cannot be changed, all the way down.
local function fixed(copy)
  if getmt(copy) == core.List then
    for i = 1, copy.n do
      copy[i] = fixed(copy[i])
    end
    return core.tuple(copy, copy.n)
  elseif getmt(copy) == core.Dict then
    for k, v in dict.each(copy) do
      dict.put(copy, k, fixed(v))
    end
    return dict.freeze(copy)
  end
  return copy
end

local function get(_, name)
  local v = own[name]
  if v ~= nil then
    return v
  end
  v = shared(name)
  if v ~= nil then
    local there = P.from_lua(v)
    return there ~= v and fixed(there) or there
  elseif given[name] then
    return given[name]()
  end
  v = P.builtins[name]
  if v == nil then
    return unknown(name)
  end
  return v
end

-- A name gets a value, or loses it: nil.
local function set(_, name, v)
  if v ~= nil and hidden(name, v) then
    own[name] = v
    return
  end
  own[name] = nil
  if type(v) == "function" then
    v = P.to_lua(v)
  end
  local place = rawget(session.env, name) == nil and rawget(_G, name) ~= nil and _G or session.env
  rawset(place, name, v)
end

local env = setmetatable({__py = P, __stage = require "moontile.stage", __name__ = "__main__", __file__ = "",
  __doc__ = P.None}, {__index = get, __newindex = set})

-- Running ---------------------------------------------------------------------

-- Runs a program in the session; SystemExit leaves the prompt.
local function run(f)
  local ok, v = xpcall(f, P.handler)
  if ok then
    return v
  end
  local e = P.exception(v) or v
  local status, message = P.status(e)
  if not status then
    error(e, 0)
  elseif message then
    io.flush()
    io.stderr:write(message, "\n")
  end
  session.quit(status)
  return P.None
end

function M.compile(text, chunk, whole)
  local f, err, more = reader.load(whole and text .. "\n" or text, chunk, env, true)
  if not f or err then
    return nil, err ~= true and err or nil, err == true or more
  end
  return function() return run(f) end, more
end

-- As session.open, of a file in Python.
function M.open(path)
  local text, why = disk.read(path)
  if not text then
    return nil, ("%s: %s"):format(path, why), true
  end
  local f, err = reader.load(text, "@" .. path, env)
  if not f then
    return nil, err
  end
  return function()
    local _ <close> = setmetatable({}, {__close = function() rawset(env, "__file__", "") end})
    rawset(env, "__file__", path)
    run(f)
  end
end

local Shown = {string = true, number = true, boolean = true, ["function"] = true}

function M.result(v)
  if v == P.None then
    return nil
  elseif leaves[v] then
    session.quit(0)
    return nil
  elseif v == own.help then
    require("moontile.help").show("")
    return nil
  elseif Shown[type(v)] or tensor.istensor(v) then
    return diag.visible(P.repr(v))
  end
  return (require("moontile.repl.pretty").result(v))
end

return M
