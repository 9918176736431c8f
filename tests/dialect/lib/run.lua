-- run.lua: runs a text as plain Lua and as staged code, and compares.
local dialect = require "moontile.dialect"

local M = {}

-- What a chunk prints and how it ends, as one string.  Positions that Lua adds
-- to messages stay; addresses do not, and names of variables only if asked for.
local function output(f, env, names)
  local out = {}
  env.print = function(...)
    local t = table.pack(...)
    for i = 1, t.n do
      t[i] = tostring(t[i])
    end
    out[#out + 1] = table.concat(t, "\t", 1, t.n)
  end
  local r = table.pack(pcall(f))
  for i = 1, r.n do
    out[#out + 1] = tostring(r[i])
  end
  local text = table.concat(out, "\n"):gsub("0x%x+", "0x")
  return names and text or (text:gsub(" %(%a+ '[%w_]*'%)", ""))
end

local function environment() return setmetatable({}, { __index = _G }) end

-- The first line where outputs a and b differ.
local function difference(a, b, what)
  local n = 0
  local other = b:gmatch "[^\n]*"
  for line in a:gmatch "[^\n]*" do
    n = n + 1
    local l2 = other()
    if l2 ~= line then
      return ("output line %d\n  plain:  %s\n  %s: %s"):format(n, line, what, tostring(l2))
    end
  end
  return "more output when " .. what
end

-- Runs text as Lua has it, and as it is where it asks for values that it cannot decide by; nil
-- and what differs, or the output.
function M.known(text, name)
  local chunk = "=" .. name
  local env1, env2 = environment(), environment()
  local f, e = dialect.load(text, chunk, env1)
  local g, e2 = dialect.load(text, chunk, env2, false, true)
  if not (f and g) then
    return nil, "not loaded: " .. tostring(not f and e or e2)
  end
  env1.read = function(s) return dialect.load(s, "=read", env1) end -- as load, and in the same way
  env2.read = function(s) return dialect.load(s, "=read", env2, false, true) end
  local a, b = output(f, env1, true), output(g, env2, true)
  if a ~= b then
    return nil, difference(a, b, "known")
  end
  return a
end

-- Loads text both ways; nil and what differs, or the output.
function M.both(text, name)
  local chunk = "=" .. name
  local same, diag = dialect.translate(text, chunk)
  if not same then
    return nil, "not translated: " .. tostring(diag)
  elseif same ~= text then
    return nil, "plain text was changed"
  end
  local env1, env2 = environment(), environment()
  local f, e = dialect.load(text, chunk, env1)
  if not f then
    return nil, "not loaded: " .. tostring(e)
  end
  local g, e2 = dialect.load(text, chunk, env2, true)
  if not g then
    return nil, "staged, not loaded: " .. tostring(e2)
  end
  local stage = require "moontile.stage"
  local before = stage.backend
  stage.backend = nil
  local a, b = output(f, env1), output(g, env2)
  stage.backend = before
  if a ~= b then
    return nil, difference(a, b, "staged")
  end
  return a
end

return M
