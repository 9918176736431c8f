-- python/lib/itertools.lua: Python's module itertools.

local builtins = require "moontile.python.builtins"
local core = require "moontile.python.core"
local dict = require "moontile.python.dict"
local equal = require "moontile.python.equal"
local func = require "moontile.python.func"
local iter = require "moontile.python.iter"
local native = require "moontile.python.native"
local ops = require "moontile.python.ops"

local M = {}

local None = core.None
local call, stepper = func.call, iter.stepper
local truth = core.late.truth

local function made(name, next)
  return iter.iterator(next, "itertools." .. name)
end

-- Gives tuples that a function of Lua's passes to `yield`.
local function by_coroutine(name, f)
  local co = coroutine.wrap(function()
    f(coroutine.yield)
  end)
  local over = false
  return made(name, function()
    if over then
      return nil
    end
    local v = co()
    over = v == nil
    return v
  end)
end

local function product(kw, ...)
  local pools = {...}
  local times = kw and dict.get(kw, "repeat") or 1
  local n = #pools
  for i = 1, n do
    pools[i] = iter.list(pools[i])
  end
  for i = n + 1, n * times do
    pools[i] = pools[(i - 1) % n + 1]
  end
  n = n * times
  return by_coroutine("product", function(yield)
    local row = {}
    local function fill(i)
      if i > n then
        yield(core.tuple(table.move(row, 1, n, 1, {}), n))
        return
      end
      for j = 1, pools[i].n do
        row[i] = pools[i][j]
        fill(i + 1)
      end
    end
    fill(1)
  end)
end

-- Choices of r items: of each, those behind it come next, or all others.
local function choices(name, ordered, again)
  return function(v, r)
    local pool = iter.list(v)
    r = r == nil and pool.n or r == None and pool.n or r
    return by_coroutine(name, function(yield)
      local row, used = {}, {}
      local function fill(k, from)
        if k > r then
          yield(core.tuple(table.move(row, 1, r, 1, {}), r))
          return
        end
        for i = from, pool.n do
          if not used[i] then
            row[k], used[i] = pool[i], ordered or nil
            fill(k + 1, ordered and 1 or again and i or i + 1)
            used[i] = nil
          end
        end
      end
      fill(1, 1)
    end)
  end
end

local function chain_of(step)
  local inner = nil
  return made("chain", function()
    while true do
      local v = inner and inner()
      if v ~= nil then
        return v
      end
      local next_one = step()
      if next_one == nil then
        return nil
      end
      inner = stepper(next_one)
    end
  end)
end

local function count(start, step)
  local v = start == nil and 0 or start
  step = step == nil and 1 or step
  return made("count", function()
    local r = v
    v = ops.add(v, step)
    return r
  end)
end

local function cycle(v)
  local l, i = iter.list(v), 0
  return made("cycle", function()
    i = i % math.max(l.n, 1) + 1
    return l[i]
  end)
end

local function accumulate(v, f, initial)
  local step, total, begun = stepper(v), nil, false
  if initial ~= nil and initial ~= None then
    total = initial
  end
  return made("accumulate", function()
    if not begun and total ~= nil then
      begun = true
      return total
    end
    local x = step()
    if x == nil then
      return nil
    end
    begun = true
    if total == nil then
      total = x
    elseif f ~= nil and f ~= None then
      total = call(f, total, x)
    else
      total = ops.add(total, x)
    end
    return total
  end)
end

local function repeated(v, times)
  times = core.unbox(times)
  local left = times
  return made("repeat", function()
    if left == nil then
      return v
    elseif left > 0 then
      left = left - 1
      return v
    end
  end)
end

local function islice(v, a, b, c)
  a, b, c = core.unbox(a), core.unbox(b), core.unbox(c)
  local start, stop, step = 0, a, 1
  if b ~= nil then
    start, stop, step = a == None and 0 or a, b, c == nil and 1 or c == None and 1 or c
  end
  local next_one, at, wanted = stepper(v), 0, start
  return made("islice", function()
    if stop ~= None and wanted >= stop then
      return nil
    end
    local x
    while at <= wanted do
      x = next_one()
      at = at + 1
      if x == nil then
        return nil
      end
    end
    wanted = wanted + step
    return x
  end)
end

local function zip_longest(kw, ...)
  local list, fill = builtins.steppers(...), kw and dict.get(kw, "fillvalue")
  local n = #list
  return made("zip_longest", function()
    local t, left = {}, 0
    for i = 1, n do
      local v = nil
      if list[i] then
        v = list[i]()
      end
      if v == nil then
        list[i] = false
        t[i] = fill == nil and None or fill
      else
        t[i], left = v, left + 1
      end
    end
    return left > 0 and core.tuple(t, n) or nil
  end)
end

local function groupby(v, key)
  local step = stepper(v)
  local ahead = step()
  local function key_of(x)
    if key == nil or key == None then
      return x
    end
    return call(key, x)
  end
  local current
  if ahead ~= nil then
    current = key_of(ahead)
  end
  local group = nil -- the key whose group is being read
  return made("groupby", function()
    while group ~= nil and ahead ~= nil and equal.same(group, current) do
      ahead = step()
      current = ahead ~= nil and key_of(ahead)
    end
    if ahead == nil then
      return nil
    end
    group = current
    local own = group
    return core.pack(own, made("_grouper", function()
      if ahead == nil or not rawequal(group, own) or not equal.same(own, current) then
        return nil
      end
      local x = ahead
      ahead = step()
      current = ahead ~= nil and key_of(ahead)
      return x
    end))
  end)
end

local function while_(name, taking)
  return function(f, v)
    local step, state = stepper(v), false
    return made(name, function()
      if taking and state then
        return nil
      end
      local x = step()
      while x ~= nil and not taking and not state and truth(call(f, x)) do
        x = step()
      end
      if taking then
        state = x == nil or not truth(call(f, x))
        return not state and x or nil
      end
      state = true
      return x
    end)
  end
end

local function tee(v, n)
  local step, seen = stepper(v), {}
  local list = {}
  for k = 1, n or 2 do
    local i = 0
    list[k] = made("_tee", function()
      i = i + 1
      if seen[i] == nil then
        seen[i] = step()
      end
      return seen[i]
    end)
  end
  return core.tuple(list)
end

native.functions(M, {
  ["permutations(iterable, r?)"] = choices("permutations", true), ["cycle(iterable)"] = cycle,
  ["combinations(iterable, r)"] = choices("combinations", false),
  ["combinations_with_replacement(iterable, r)"] = choices("combinations_with_replacement", false, true),
  ["count(start?, step?)"] = count, ["accumulate(iterable, func?, *, initial)"] = accumulate,
  ["repeat(object, times?)"] = repeated, ["islice(iterable, start, stop?, step?)"] = islice,
  ["groupby(iterable, key?)"] = groupby, ["takewhile(predicate, iterable)"] = while_("takewhile", true),
  ["dropwhile(predicate, iterable)"] = while_("dropwhile", false), ["tee(iterable, n?)"] = tee,
  ["starmap(function, iterable)"] = function(f, v)
    local step = stepper(v)
    return made("starmap", function()
      local args = step()
      if args ~= nil then
        local l = iter.list(args)
        return call(f, table.unpack(l, 1, l.n))
      end
    end)
  end,
  ["filterfalse(function, iterable)"] = function(f, v)
    local step = stepper(v)
    return made("filterfalse", function()
      while true do
        local x = step()
        if x == nil or not truth(f == None and x or call(f, x)) then
          return x
        end
      end
    end)
  end,
  ["compress(data, selectors)"] = function(v, s)
    local a, b = stepper(v), stepper(s)
    return made("compress", function()
      while true do
        local x, y = a(), b()
        if x == nil or y == nil then
          return nil
        elseif truth(y) then
          return x
        end
      end
    end)
  end,
  ["pairwise(iterable)"] = function(v)
    local step = stepper(v)
    local last = step()
    return made("pairwise", function()
      local x, before = nil, last
      if last ~= nil then
        x = step()
      end
      last = x
      return x ~= nil and core.pack(before, x) or nil
    end)
  end,
  ["batched(iterable, n)"] = function(v, n)
    local step = stepper(v)
    return made("batched", function()
      local t = {}
      while #t < n do
        local x = step()
        if x == nil then
          break
        end
        t[#t + 1] = x
      end
      return #t > 0 and core.tuple(t) or nil
    end)
  end,
})
M.product = native.make("product", "*, repeat", product)
M.zip_longest = native.make("zip_longest", "*, fillvalue", zip_longest)
M.chain = native.make("chain", "*,", function(_, ...)
  local list, i = {...}, 0
  return chain_of(function()
    i = i + 1
    return list[i]
  end)
end)
require("moontile.python.attr").set_function(M.chain, "from_iterable", native.make("from_iterable", "iterable",
  function(v) return chain_of(stepper(v)) end))

return M
