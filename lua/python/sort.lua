-- python/sort.lua: a stable sort by Python's `<`.

local core = require "moontile.python.core"
local equal = require "moontile.python.equal"
local func = require "moontile.python.func"

local M = {}

local late = core.late
local mtype, type = math.type, type

-- Are all of them numbers, or all texts, so that Lua's `<` will do?
local function plain(keys, n)
  local number, text = true, true
  for i = 1, n do
    number = number and mtype(keys[i]) ~= nil
    text = text and type(keys[i]) == "string"
  end
  return number or text
end

local function less(a, b)
  local r = equal.lt(a, b)
  return r == true or r ~= false and late.truth(r)
end

local function raw_less(a, b)
  return a < b
end

-- Merges a[lo..mid-1] and a[mid..hi-1] into b; indices into keys.
local function merge(keys, a, b, lo, mid, hi, lt)
  local i, j = lo, mid
  for k = lo, hi - 1 do
    if i < mid and (j >= hi or not lt(keys[a[j]], keys[a[i]])) then
      b[k] = a[i]
      i = i + 1
    else
      b[k] = a[j]
      j = j + 1
    end
  end
end

-- The order of keys: a list of their indices.
local function order(keys, n, lt)
  local a, b = {}, {}
  for i = 1, n do
    a[i] = i
  end
  local width = 1
  while width < n do
    for lo = 1, n, 2 * width do
      merge(keys, a, b, lo, math.min(lo + width, n + 1), math.min(lo + 2 * width, n + 1), lt)
    end
    a, b, width = b, a, 2 * width
  end
  return a
end

-- Sorts list l in place.  key: a function or nil, None; reverse: keeps equal ones in their order, too
function M.sort(l, key, reverse)
  local n = l.n
  local keys = {}
  for i = 1, n do
    keys[i] = l[i]
    if key ~= nil and key ~= core.None then
      keys[i] = func.call(key, l[i])
    end
  end
  local lt = plain(keys, n) and raw_less or less
  if reverse ~= nil and late.truth(reverse) then
    local forward = lt
    lt = function(a, b) return forward(b, a) end
  end
  local by, r = order(keys, n, lt), {}
  for i = 1, n do
    r[i] = l[by[i]]
  end
  table.move(r, 1, n, 1, l)
  return l
end

return M
