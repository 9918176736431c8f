-- python/dict.lua: dicts: ordered tables with Python's keys.  Sets are in set.lua; what both have takes either.
--
--   {keys = {..}, vals = {..}, pos = {[key] = i}, n = how many, last = the last i}
--
-- keys[i] is the key as it was given, pos knows it by equal.key; a removed entry leaves a hole,
-- and holes are closed when they are many.

local core = require "moontile.python.core"
local equal = require "moontile.python.equal"
local exc = require "moontile.python.exc"
local set = require "moontile.python.set"

local M = {}

local key, setmetatable = equal.key, setmetatable
local Dict = core.Dict

function M.new()
  return setmetatable({keys = {}, vals = {}, pos = {}, n = 0, last = 0}, Dict)
end

-- The tables of an empty one, into an object that is there.
function M.init(d)
  if getmetatable(d).__kind ~= "dict" then
    return set.init(d)
  end
  d.keys, d.vals, d.pos, d.n, d.last = {}, {}, {}, 0, 0
  return d
end

-- What Python sees of a table of Lua's: a change would be lost.
function M.freeze(d)
  d.frozen = true
  return d
end

-- Before a change: refused, or told to whom it concerns; v nil: k goes.
local function changing(d, k, v)
  if d.frozen == true then
    exc.fail("TypeError", "a table of Lua's cannot be changed in Python; dict(it) is a copy that can")
  end
  d.frozen(k, v)
end

-- The attributes of something as a dict: change(k, v) is called of each change.
function M.watch(d, change)
  d.frozen = change
  return d
end

-- d[k] = v
function M.put(d, k, v)
  if d.frozen then
    changing(d, k, v)
  end
  local i = d.pos[k]
  if i then
    d.vals[i] = v
    return
  end
  local hk = key(k)
  i = d.pos[hk]
  if not i then
    i = d.last + 1
    d.last, d.n = i, d.n + 1
    d.pos[hk], d.keys[i] = i, k
  end
  d.vals[i] = v
end

-- d[k], or nil
function M.get(d, k)
  local i = d.pos[k] or d.pos[key(k)]
  return i and d.vals[i]
end

function M.has(d, k)
  return (d.pos[k] or d.pos[key(k)]) ~= nil
end

-- Closes the holes.
local function compact(d)
  local keys, vals, pos, n = {}, {}, {}, 0
  local place = {}
  for hk, i in pairs(d.pos) do
    place[i] = hk
  end
  for i = 1, d.last do
    if d.keys[i] ~= nil then
      n = n + 1
      keys[n], vals[n], pos[place[i]] = d.keys[i], d.vals[i], n
    end
  end
  d.keys, d.vals, d.pos, d.last = keys, vals, pos, n
end

-- Removes k: true, and its value; false: it is not there.
function M.remove(d, k)
  local hk = key(k)
  local i = d.pos[hk]
  if d.frozen and (i or d.frozen == true) then
    changing(d, k)
  end
  if not i then
    return false
  end
  local v = d.vals[i]
  d.pos[hk], d.keys[i], d.vals[i] = nil, nil, nil
  d.n = d.n - 1
  if i == d.last then
    while d.last > 0 and d.keys[d.last] == nil do
      d.last = d.last - 1
    end
  elseif d.last > 16 and d.n < d.last // 2 then
    compact(d)
  end
  return true, v
end

function M.clear(d)
  for k in d.frozen and M.each(d) or next, {} do
    changing(d, k)
  end
  M.init(d)
end

-- for k, v in M.each(d): of a set, too; neither d nor its size may change meanwhile.
function M.each(d)
  local keys, vals, i = d.keys, d.vals, 0
  return function()
    repeat
      i = i + 1
    until keys[i] ~= nil or i > d.last
    return keys[i], vals and vals[i]
  end
end

-- An iterator as Python's: pick(key, value) is what comes; the size must stay.
function M.walk(d, pick)
  local i, n, what = 0, d.n, d.vals and "dictionary" or "Set"
  return function()
    if d.n ~= n then
      exc.fail("RuntimeError", what .. " changed size during iteration")
    end
    local keys, last = d.keys, d.last
    repeat
      i = i + 1
    until i > last or keys[i] ~= nil
    if i > last then
      return nil
    end
    return pick(keys[i], d.vals and d.vals[i])
  end
end

-- The same the other way round.
function M.back(d, pick)
  local i = d.last + 1
  return function()
    repeat
      i = i - 1
    until i < 1 or d.keys[i] ~= nil
    if i >= 1 then
      return pick(d.keys[i], d.vals and d.vals[i])
    end
  end
end

function M.copy(d)
  if not d.vals then
    return set.copy(d)
  end
  local r = M.new()
  for k, v in M.each(d) do
    M.put(r, k, v)
  end
  return r
end

-- A dict of key, value, key, value ..
function M.of(...)
  local d = M.new()
  for i = 1, select("#", ...), 2 do
    local k, v = select(i, ...)
    M.put(d, k, v)
  end
  return d
end

-- A dict of a table with these names in order.
function M.named(names, values)
  local d = M.new()
  for _, k in ipairs(names) do
    if values[k] ~= nil then
      M.put(d, k, values[k])
    end
  end
  return d
end

return M
