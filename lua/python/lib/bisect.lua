-- python/lib/bisect.lua: Python's module bisect: places in lists that are in order.

local core = require "moontile.python.core"
local exc = require "moontile.python.exc"
local func = require "moontile.python.func"
local index = require "moontile.python.index"
local native = require "moontile.python.native"
local sort = require "moontile.python.sort"

local M = {}

local None, less = core.None, sort.less

local function given(v) return v ~= nil and v ~= None end

-- The first place whose element is not before x (left), or is behind it.
local function place(left)
  return function(a, x, lo, hi, key)
    lo, hi = given(lo) and lo or 0, given(hi) and hi or index.len(a)
    if lo < 0 then
      exc.fail("ValueError", "lo must be non-negative")
    end
    while lo < hi do
      local mid = (lo + hi) // 2
      local v = index.index(a, mid)
      v = given(key) and func.call(key, v) or v
      local before
      if left then before = less(v, x) else before = not less(x, v) end
      if before then lo = mid + 1 else hi = mid end
    end
    return lo
  end
end

-- Inserts x there; of the key function here, other than in bisect, x is given without it.
local function insert(left)
  local find = place(left)
  return function(a, x, lo, hi, key)
    local at = find(a, given(key) and func.call(key, x) or x, lo, hi, key)
    func.method(a, "insert", at, x)
    return None
  end
end

local sig = "(a, x, lo?, hi?, *, key?)"
native.functions(M, {
  ["bisect_left" .. sig] = place(true), ["bisect_right" .. sig] = place(false), ["bisect" .. sig] = place(false),
  ["insort_left" .. sig] = insert(true), ["insort_right" .. sig] = insert(false), ["insort" .. sig] = insert(false),
})

return M
