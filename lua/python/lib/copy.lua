-- python/lib/copy.lua: Python's module copy.

local core = require "moontile.python.core"
local dict = require "moontile.python.dict"
local func = require "moontile.python.func"
local native = require "moontile.python.native"
local set = require "moontile.python.set"

local M = {}

local getmt = debug.getmetatable

-- A new object with the fields of o, each through f.
local function fields(o, f, into)
  for k, v in pairs(o) do
    if k == core.OWN then
      into[k] = fields(v, f, {})
    else
      into[k] = f(v)
    end
  end
  return into
end

local function same(v)
  return v
end

local function shallow(v)
  local own = core.user_special(v, "__copy__")
  local kind, mt = core.kind(v), getmt(v)
  if own then
    return func.call(own, v)
  elseif kind == "list" or mt and mt.__user and kind == "instance" or mt and mt.__user and kind == "tuple" then
    return setmetatable(fields(v, same, {}), mt)
  elseif kind == "dict" or kind == "set" then
    local r = dict.copy(v)
    if v[core.OWN] then
      r[core.OWN] = fields(v[core.OWN], same, {})
    end
    return setmetatable(r, mt)
  elseif core.foreign(v) and type(v) ~= "function" and v.clone then
    return v:clone()
  end
  return v
end

local function deep(v, memo)
  if type(v) ~= "table" and type(v) ~= "userdata" then
    return v
  elseif memo[v] then
    return memo[v]
  end
  local own = core.user_special(v, "__deepcopy__")
  local kind, mt = core.kind(v), getmt(v)
  if own then
    return func.call(own, v, dict.new())
  elseif kind == "list" or kind == "tuple" or mt and mt.__user and kind == "instance" and not mt.__pyclass.members then
    local r = setmetatable({}, mt)
    memo[v] = r
    return fields(v, function(x) return deep(x, memo) end, r)
  elseif kind == "dict" or kind == "set" then
    local r = dict.init(setmetatable({}, mt))
    memo[v] = r
    for k, x in dict.each(v) do
      if kind == "dict" then
        dict.put(r, deep(k, memo), deep(x, memo))
      else
        set.add(r, deep(k, memo))
      end
    end
    if v[core.OWN] then
      r[core.OWN] = fields(v[core.OWN], function(x) return deep(x, memo) end, {})
    end
    return r
  elseif core.foreign(v) and type(v) == "userdata" and v.clone then
    return v:clone()
  end
  return v
end

native.functions(M, {
  ["copy(x)"] = shallow, ["deepcopy(x, memo?)"] = function(v) return deep(v, {}) end,
})

return M
