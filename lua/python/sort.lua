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

M.less = less

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

-- Up to this length CPython sorts by insertion; what compares, and what NaN comes to, is then the same here.
local few = 63

-- How many at the front are in order already; those that strictly descend are turned round.
local function run(keys, a, n, lt)
  local k = 2
  if n < 2 then
    return n
  elseif lt(keys[a[2]], keys[a[1]]) then
    while k < n and lt(keys[a[k + 1]], keys[a[k]]) do
      k = k + 1
    end
    for i = 1, k // 2 do
      a[i], a[k - i + 1] = a[k - i + 1], a[i]
    end
    return k
  end
  while k < n and not lt(keys[a[k + 1]], keys[a[k]]) do
    k = k + 1
  end
  return k
end

-- Sorts a, indices into keys, by binary insertion.
local function insertion(keys, a, n, lt)
  for i = run(keys, a, n, lt) + 1, n do
    local lo, hi, at = 1, i, a[i]
    while lo < hi do
      local mid = (lo - 1 + hi - 1) // 2 + 1
      if lt(keys[at], keys[a[mid]]) then
        hi = mid
      else
        lo = mid + 1
      end
    end
    table.move(a, lo, i - 1, lo + 1)
    a[lo] = at
  end
  return a
end

-- The order of keys: a list of their indices.
local function order(keys, n, lt)
  local a, b = {}, {}
  for i = 1, n do
    a[i] = i
  end
  if n <= few then
    return insertion(keys, a, n, lt)
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

local function turn(t, n)
  for i = 1, n // 2 do
    t[i], t[n - i + 1] = t[n - i + 1], t[i]
  end
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
  local turned = reverse ~= nil and late.truth(reverse)
  local items = table.move(l, 1, n, 1, {})
  if turned then -- turned round, sorted, turned back: equal ones keep their order
    turn(keys, n)
    turn(items, n)
  end
  local by = order(keys, n, plain(keys, n) and raw_less or less)
  for i = 1, n do
    l[turned and n - i + 1 or i] = items[by[i]]
  end
  return l
end

return M
