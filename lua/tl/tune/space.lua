-- tl/tune/space.lua: which configurations are tried.
--
-- A configuration is a table of compile-time values by name.  A space names the values
-- of each parameter, {BM = {64, 128}, num_stages = {2, 3}}, or lists configurations, or
-- is a function that gives either.  Without one it is made from the values that a kernel
-- has: tiles and threads halved and doubled, a stage more and less.

local describe = require "moontile.base.describe"
local diag = require "moontile.diag"
local W = require "moontile.base.translations"

local M = {}

local most = 4096 -- candidates of a product

local plain = require("moontile.tensor").isplain

-- "{BK = 32, BM = 128}"
function M.text(config)
  local parts = {}
  for name, v in pairs(config) do
    parts[#parts + 1] = ("%s = %s"):format(name, plain(v) and M.text(v) or tostring(v))
  end
  table.sort(parts)
  return "{" .. table.concat(parts, ", ") .. "}"
end

-- Values by kind ------------------------------------------------------------------------

local function around(v, least, greatest)
  local r = {}
  for _, x in ipairs {v // 2, v, v * 2} do
    if x >= least and x <= greatest and (x == v or x % least == 0) then
      r[#r + 1] = x
    end
  end
  return r
end

local function stages(v)
  local r = {}
  for x = math.max(v - 1, v == 0 and 0 or 1), math.min(v + 2, 7) do
    r[#r + 1] = x
  end
  return r
end

-- By the parameter's name, then by its value: {pattern, test, values}
local kinds = {
  {"stage", function(v) return v >= 0 and v <= 7 end, stages},
  {"^[nN]?[sS]$", function(v) return v >= 1 and v <= 7 end, stages},
  {"[pP]olicy", function(v) return v >= 0 and v <= 2 end, function() return {0, 1, 2} end},
  {"[tT]h?r?e?a?d?s?$", function(v) return v >= 32 and v <= 1024 and v % 32 == 0 end,
    function(v) return around(v, 32, 1024) end},
  {"", function(v) return v >= 16 and v <= 4096 and v & (v - 1) == 0 end,
    function(v) return around(v, 8, 8192) end},
}

-- The values to try for a parameter that has the value v, or nil.
function M.values(name, v)
  if math.type(v) ~= "integer" then
    return nil
  end
  for _, kind in ipairs(kinds) do
    if name:find(kind[1]) and kind[2](v) then
      local r = kind[3](v)
      return #r > 1 and r or nil
    end
  end
  return nil
end

-- names: the compile-time parameters; base: their values; same(config) -> is the kernel
-- still one of the same tensors?  (nil: it cannot be made.)  A parameter whose values
-- change the tensors is part of the problem, not of its solution.
function M.derive(names, base, same)
  local space = {}
  for _, name in ipairs(names) do
    local values = M.values(name, base[name])
    local ours = values ~= nil
    for _, v in ipairs(values or {}) do
      if ours and v ~= base[name] then
        ours = same({[name] = v}) ~= false
      end
    end
    if ours then
      space[name] = values
    end
  end
  return space
end

-- Configurations --------------------------------------------------------------------------

-- How far a configuration is from the base: steps of halving and doubling.
local function distance(config, base)
  local d = 0
  for name, v in pairs(config) do
    local b = base[name]
    if b ~= v then
      if math.type(b) and math.type(v) and b > 0 and v > 0 and b >= 16 then
        d = d + math.abs(math.log(v / b, 2))
      else
        d = d + 1
      end
    end
  end
  return d
end

local function product(space)
  local names = {}
  for name in pairs(space) do
    names[#names + 1] = name
  end
  table.sort(names)
  local list = {{}}
  for _, name in ipairs(names) do
    local values, longer = space[name], {}
    values = plain(values) and values or {values}
    for _, config in ipairs(list) do
      for _, v in ipairs(values) do
        local c = {[name] = v}
        for key, x in pairs(config) do
          c[key] = x
        end
        longer[#longer + 1] = c
        if #longer > most then
          return nil
        end
      end
    end
    list = longer
  end
  return list
end

-- A list of configurations, or an error.
function M.list(list)
  for _, c in ipairs(list) do
    if not plain(c) then
      diag.fail("arg_type", "tune", "space", W"a list of tables", describe(c),
        "{{BM = 64}, {BM = 128}}")
    end
  end
  return list
end

-- A space, list or function of one -> list of configurations, those near the base
-- first where it is a product.  nil: there are too many.
function M.configs(space, base, ...)
  if type(space) == "function" then
    space = space(...)
  end
  if type(space) ~= "table" then
    return {}
  elseif space[1] ~= nil then
    return M.list(space)
  elseif next(space) == nil then
    return {}
  end
  local list = product(space)
  if not list then
    return nil
  end
  local order = {}
  for i, c in ipairs(list) do
    order[i] = {config = c, far = distance(c, base), text = M.text(c)}
  end
  table.sort(order, function(a, b)
    if a.far ~= b.far then
      return a.far < b.far
    end
    return a.text < b.text
  end)
  for i, o in ipairs(order) do
    list[i] = o.config
  end
  return list
end

return M
