-- help/values.lua: what a name typed so far stands for, and what hangs on it.
--
-- Nothing of the user's is called: fields are read raw, a metatable's __index is
-- followed only where it is a table.

local given = require "moontile.help.given"
local help = require "moontile.help"
local tensor = require "moontile.tensor"

local M = {}

local Most = 4000 -- fields of a table that are looked at

-- The variables of the prompt; where there is none, none.
local function env()
  return given.prompt.env
end
M.env = env

function M.baseline()
  return given.prompt.baseline
end

-- Kinds of our objects by the name of their metatable.
local kinds = {
  kernel = "kernel", jit = "jit", prim_func = "prim_func", layout = "layout",
  profiler = "profiler", ["bench result"] = "bench",
}

-- "kernel", "tensor", .. for a value of ours whose members help knows; nil for others.
function M.kind(v)
  if type(v) == "userdata" then
    return tensor.istensor(v) and "tensor" or nil
  elseif type(v) == "table" then
    local mt = debug.getmetatable(v)
    local name = type(mt) == "table" and rawget(mt, "__name")
    return type(name) == "string" and kinds[name] or nil
  end
end

-- T and tl are filled when they are first used, and so are the parts of tl.
local modules = {T = "moontile.T", tl = "moontile.tl", plot = "moontile.layout_viz.plot"}
local parts = {layout = "moontile.tl.layout", testing = "moontile.tl.testing",
  ref = "moontile.tl.ref", profiler = "moontile.tl.profiler", ops = "moontile.ops",
  host = "moontile.tl.host"}

-- t[k] without calling anything.
local function field(t, k)
  for _ = 1, 8 do
    if type(t) ~= "table" then
      return nil
    end
    local v = rawget(t, k)
    if v ~= nil then
      return v
    end
    local mt = debug.getmetatable(t)
    t = type(mt) == "table" and rawget(mt, "__index")
  end
end

local function member(v, k)
  local kind = M.kind(v)
  if kind == "tensor" then
    local row = help.find("tensor." .. k)
    return row and row.field and v[k] or nil -- properties, in C
  elseif kind == "kernel" then
    return rawget(v, k)
  end
  local x = field(v, k)
  if x == nil and type(v) == "table" and v == package.loaded["moontile.tl"] and parts[k] then
    return require(parts[k])
  end
  return x
end

function M.global(name)
  local v = rawget(env(), name)
  if v == nil then
    v = rawget(_G, name)
  end
  if v == nil and modules[name] then
    local ok, m = pcall(require, modules[name])
    v = ok and m or nil
  end
  return v
end

-- The value of "a.b[1].c"; nil where it is not known.
function M.eval(path)
  local first, at = path:match "^([%a_][%w_]*)()"
  local v = first and M.global(first)
  while v ~= nil and at <= #path do
    local name, next_at = path:match("^%.([%a_][%w_]*)()", at)
    if not name then
      name, next_at = path:match("^%[(%d+)%]()", at)
      name = math.tointeger(tonumber(name))
    end
    if not name then
      return nil
    end
    v, at = member(v, name), next_at
  end
  return v
end

-- Raw fields of a table and of the tables that its metatable leads to.
function M.fields(t, see)
  local n = 0
  for _ = 1, 8 do
    if type(t) ~= "table" then
      return
    end
    local k, v = next(t)
    while k ~= nil and n < Most do
      see(k, v)
      n = n + 1
      k, v = next(t, k)
    end
    local mt = debug.getmetatable(t)
    t = type(mt) == "table" and rawget(mt, "__index")
  end
end

-- A few words that say what a value is.
function M.note(v)
  local kind, t = M.kind(v), math.type(v) or type(v)
  if kind == "tensor" then
    return ("%s[%s]"):format(v.dtype, table.concat(v.shape, ", "))
  elseif kind then
    return kind
  elseif t == "string" then
    return #v <= 24 and ("%q"):format(v):gsub("\\\n", "\\n") or "string"
  elseif t == "integer" or t == "float" or t == "boolean" then
    return tostring(v)
  end
  return t
end

-- The names of the parameters of a Lua function; nil for one in C.
function M.parameters(f)
  local info = debug.getinfo(f, "u")
  if not info or debug.getinfo(f, "S").what == "C" then
    return nil
  end
  local names = {}
  for i = 1, info.nparams do
    names[i] = debug.getlocal(f, i)
  end
  if info.isvararg then
    names[#names + 1] = "..."
  end
  return names
end

return M
