-- python/lib/heapq.lua: Python's module heapq: a list in which no element is less than its parent, l[(k - 1) // 2].

local core = require "moontile.python.core"
local exc = require "moontile.python.exc"
local iter = require "moontile.python.iter"
local native = require "moontile.python.native"
local sort = require "moontile.python.sort"

local M = {}

local less = sort.less

local function check(l)
  if core.kind(l) ~= "list" then
    exc.fail("TypeError", ("heap argument must be a list, not %s"):format(core.typename(l)))
  end
  return l
end

-- Element `at` rises, as far as `top`; both counted from 1.
local function rise(l, top, at)
  local item = l[at]
  while at > top do
    local parent = at // 2
    if not less(item, l[parent]) then break end
    l[at], at = l[parent], parent
  end
  l[at] = item
end

-- Element `at` changes places with smaller children to the bottom, and rises from there: fewer comparisons.
local function sink(l, at)
  local top, item, n = at, l[at], l.n
  local child = 2 * at
  while child <= n do
    if child < n and not less(l[child], l[child + 1]) then
      child = child + 1
    end
    l[at], at = l[child], child
    child = 2 * at
  end
  l[at] = item
  rise(l, top, at)
end

local function last(l)
  if l.n == 0 then
    exc.fail("IndexError", "index out of range")
  end
  local v = l[l.n]
  l[l.n], l.n = nil, l.n - 1
  return v
end

local function replace(l, item)
  local r = l[1]
  l[1] = item
  sink(l, 1)
  return r
end

native.functions(M, {
  ["heapify(x)"] = function(l)
    for k = check(l).n // 2, 1, -1 do
      sink(l, k)
    end
    return core.None
  end,
  ["heappush(heap, item)"] = function(l, item)
    check(l).n = l.n + 1
    l[l.n] = item
    rise(l, 1, l.n)
    return core.None
  end,
  ["heappop(heap)"] = function(l)
    local v = last(check(l))
    return l.n > 0 and replace(l, v) or v
  end,
  ["heapreplace(heap, item)"] = function(l, item)
    if check(l).n == 0 then
      exc.fail("IndexError", "index out of range")
    end
    return replace(l, item)
  end,
  ["heappushpop(heap, item)"] = function(l, item)
    if check(l).n > 0 and less(l[1], item) then
      return replace(l, item)
    end
    return item
  end,
  ["nsmallest(n, iterable, key?)"] = function(n, v, key)
    local l = sort.sort(iter.list(v), key)
    n = math.max(0, math.min(n, l.n))
    return core.list(table.move(l, 1, n, 1, {}), n)
  end,
  ["nlargest(n, iterable, key?)"] = function(n, v, key)
    local l = sort.sort(iter.list(v), key, true)
    n = math.max(0, math.min(n, l.n))
    return core.list(table.move(l, 1, n, 1, {}), n)
  end,
})

return M
