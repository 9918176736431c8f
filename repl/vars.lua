-- vars.lua: the variables of the session: locals that were kept, and globals that
-- the user has made.
--
--     vars.each(f)          f(name, value) for each in order, kept locals first
--     vars.get(name)        its value
--     vars.set(name, v)     where it is: a kept local, else a global
--     vars.reset()          forgets them all; their names in order
--
-- `_` and `_7`, the results, are no variables.

local session = require "moontile.prompt"

local M = {}

local own = { T = true, tl = true, plot = true } -- made when a text first names them

-- Modules have globals of their own: those that Lua began with.
local function before(name)
  return rawget(_ENV, name)
end

local function global(name)
  if session.baseline[name] or own[name] then
    return before(name) ~= nil and rawget(_G, name) ~= before(name) -- `table = tl.zeros(3)`
  end
  return not name:find "^_"
end

local function names_of(t, is)
  local names = {}
  for k in next, t do
    if type(k) == "string" and is(k) then
      names[#names + 1] = k
    end
  end
  table.sort(names)
  return names
end

local function kept(name)
  return not name:find "^_%d*$"
end

function M.each(f)
  for _, name in ipairs(names_of(session.env, kept)) do
    f(name, rawget(session.env, name))
  end
  for _, name in ipairs(names_of(_G, global)) do
    if rawget(session.env, name) == nil then
      f(name, rawget(_G, name))
    end
  end
end

function M.get(name)
  local v = rawget(session.env, name)
  if v == nil then
    v = rawget(_G, name)
  end
  return v
end

function M.set(name, v)
  rawset(rawget(session.env, name) ~= nil and session.env or _G, name, v)
end

function M.reset()
  local names = {}
  M.each(function(name)
    names[#names + 1] = name
  end)
  for _, name in ipairs(names_of(_G, global)) do
    rawset(_G, name, before(name))
  end
  for _, name in ipairs(names_of(session.env, function() return true end)) do
    rawset(session.env, name, nil) -- results as well
  end
  rawset(_G, "_", nil)
  return names
end

return M
