-- python/containers.lua: the methods of list, tuple, dict, set, range, generator.

local attr = require "moontile.python.attr"
local core = require "moontile.python.core"
local dict = require "moontile.python.dict"
local equal = require "moontile.python.equal"
local exc = require "moontile.python.exc"
local func = require "moontile.python.func"
local index = require "moontile.python.index"
local iter = require "moontile.python.iter"
local native = require "moontile.python.native"
local ops = require "moontile.python.ops"
local set = require "moontile.python.set"
local sort = require "moontile.python.sort"

local M = {}

local types, late = core.types, core.late
local getmt = debug.getmetatable
local None = core.None
local call, whole = func.call, index.whole

-- Lists -----------------------------------------------------------------------------------------------

local function position(l, v, start, stop, what)
  local lo, hi = index.bounds(index.slice(start, stop), l.n)
  for i = lo + 1, hi do
    if rawequal(l[i], v) or equal.same(l[i], v) then
      return i
    end
  end
  exc.fail("ValueError", what == "tuple" and "tuple.index(x): x not in tuple" or what == "remove"
    and "list.remove(x): x not in list" or ("%s is not in list"):format(late.repr(v)))
end

local function pop(l, k)
  local n = l.n
  if n == 0 then
    exc.fail("IndexError", "pop from empty list")
  elseif k == nil then
    local v = l[n]
    l[n], l.n = nil, n - 1
    return v
  end
  local i = whole(k)
  i = i < 0 and i + n or i
  if i < 0 or i >= n then
    exc.fail("IndexError", "pop index out of range")
  end
  local v = l[i + 1]
  table.move(l, i + 2, n + 1, i + 1)
  l.n = n - 1
  return v
end

local function clear(l)
  for i = 1, l.n do
    l[i] = nil
  end
  l.n = 0
  return None
end

local function insert(l, at, v)
  local n, k = l.n, whole(at)
  k = k < 0 and math.max(k + n, 0) or math.min(k, n)
  table.move(l, k + 1, n, k + 2)
  l[k + 1], l.n = v, n + 1
  return None
end

local function reverse(l)
  local n = l.n
  for i = 1, n // 2 do
    l[i], l[n - i + 1] = l[n - i + 1], l[i]
  end
  return None
end

local function count(l, v)
  local n = 0
  for i = 1, l.n do
    n = n + ((rawequal(l[i], v) or equal.same(l[i], v)) and 1 or 0)
  end
  return n
end

native.methods(types.list, {
  ["extend(self, iterable)"] = function(l, v) ops.extend(l, v) return None end,
  ["insert(self, index, object)"] = insert, ["pop(self, index?)"] = pop, ["clear(self)"] = clear,
  ["remove(self, value)"] = function(l, v) pop(l, position(l, v, nil, nil, "remove") - 1) return None end,
  ["index(self, value, start?, stop?)"] = function(l, v, a, b) return position(l, v, a, b) - 1 end,
  ["count(self, value)"] = count, ["reverse(self)"] = reverse,
  ["copy(self)"] = function(l) return iter.list(l) end,
  ["sort(self, *, key, reverse)"] = function(l, key, reverse_)
    sort.sort(l, key, reverse_)
    return None
  end,
})

-- list.append; the loop's most frequent call, so it checks its arguments itself.
types.list.dict.append = native.make("list.append", "self, object", function(l, v, ...)
  if v == nil or ... ~= nil then
    exc.fail("TypeError", ("list.append() takes exactly one argument (%d given)"):format(v == nil and 0 or 1
      + select("#", ...)))
  end
  local n = l.n + 1
  l.n = n
  l[n] = v
  return None
end, true)

native.methods(types.tuple, {
  ["index(self, value, start?, stop?)"] = function(l, v, a, b) return position(l, v, a, b, "tuple") - 1 end,
  ["count(self, value)"] = count,
})

-- Dicts -----------------------------------------------------------------------------------------------

-- Views: keys, values, items of a dict, as it is then.
local picks = {
  keys = function(k) return k end, values = function(_, v) return v end,
  items = function(k, v) return core.pack(k, v) end,
}

local function contains(view, x)
  if view.what == "keys" then
    return dict.has(view.d, x)
  elseif view.what == "items" then
    local v = getmt(x) == core.Tuple and x.n == 2 and dict.get(view.d, x[1])
    return v ~= nil and v ~= false and equal.same(v, x[2])
  end
  for _, v in dict.each(view.d) do
    if equal.same(v, x) then
      return true
    end
  end
  return false
end

local function view_meta(what)
  local meta = {__name = "dict_" .. what, __kind = "dict_" .. what}
  local cls = core.builtin(meta.__name, meta)
  meta.__user = true
  local d = cls.dict
  d.__iter__ = native.make("__iter__", "self", function(v)
    return iter.iterator(dict.walk(v.d, picks[what]), "dict_" .. what:gsub("s$", "") .. "iterator")
  end)
  d.__len__ = native.make("__len__", "self", function(v) return v.d.n end)
  d.__contains__ = native.make("__contains__", "self, x", contains)
  d.__repr__ = native.make("__repr__", "self", function(v)
    return meta.__name .. "(" .. late.repr(iter.list(v)) .. ")"
  end)
  d.__reversed__ = native.make("__reversed__", "self", function(v)
    return iter.iterator(dict.back(v.d, picks[what]), "dict_reverse" .. what:gsub("s$", "") .. "iterator")
  end)
  if what ~= "values" then
    for name, op in pairs {__and__ = "band", __or__ = "bor", __sub__ = "sub", __xor__ = "bxor", __eq__ = "eq",
      __le__ = "le", __lt__ = "lt", __ge__ = "ge", __gt__ = "gt"} do
      d[name] = native.make(name, "self, other", function(a, b)
        return (ops[op] or equal[op])(set.of(a), set.of(b))
      end)
    end
  end
  return meta
end
local views = {keys = view_meta "keys", values = view_meta "values", items = view_meta "items"}

local function view(what)
  return function(d)
    return setmetatable({d = d, what = what}, views[what])
  end
end

-- Adds what `other` has: a mapping, or pairs.
function M.update(d, other, kw)
  if other ~= nil then
    for k, v in M.pairs(other) do
      dict.put(d, k, v)
    end
  end
  for k, v in dict.each(kw or dict.new()) do
    dict.put(d, k, v)
  end
  return None
end

-- Keys and values of a mapping or of pairs, for a loop of Lua's.
function M.pairs(v)
  local mt = getmt(v)
  if mt and mt.__kind == "dict" then
    return dict.each(v)
  elseif mt and (mt.__user and mt.__pyclass.lookup.keys) then
    local next_key = iter.stepper(func.method(v, "keys"))
    return function()
      local k = next_key()
      if k ~= nil then
        return k, index.index(v, k)
      end
    end
  end
  local step, i = iter.stepper(v), -1
  return function()
    local pair = step()
    i = i + 1
    if pair == nil then
      return nil
    end
    if iter.barren(pair) then
      exc.fail("TypeError", ("cannot convert dictionary update sequence element #%d to a sequence"):format(i))
    end
    local l = iter.list(pair)
    if l.n ~= 2 then
      exc.fail("ValueError", ("dictionary update sequence element #%d has length %d; 2 is required"):format(i, l.n))
    end
    return l[1], l[2]
  end
end
late.items = M.pairs

local function dict_pop(d, k, default)
  local there, v = dict.remove(d, k)
  if there then
    return v
  elseif default == nil then
    exc.throw(exc.make(exc.classes.KeyError, k))
  end
  return default
end

local function popitem(d, first)
  if d.n == 0 then
    exc.throw(exc.make(exc.classes.KeyError, "popitem(): dictionary is empty"))
  end
  local i = d.last
  if first then
    i = 1
    while d.keys[i] == nil do
      i = i + 1
    end
  end
  local k = d.keys[i]
  local _, v = dict.remove(d, k)
  return core.pack(k, v)
end
M.popitem = popitem

native.methods(types.dict, {
  ["keys(self)"] = view "keys", ["values(self)"] = view "values", ["items(self)"] = view "items",
  ["pop(self, key, default?)"] = dict_pop, ["popitem(self)"] = function(d) return popitem(d) end,
  ["clear(self)"] = function(d) dict.clear(d) return None end, ["copy(self)"] = dict.copy,
  ["setdefault(self, key, default?)"] = function(d, k, v)
    local old = dict.get(d, k)
    if old ~= nil then
      return old
    end
    v = v == nil and None or v
    dict.put(d, k, v)
    return v
  end,
})
types.dict.dict.update = native.make("dict.update", "**", function(kw, d, other, ...)
  if ... ~= nil then
    exc.fail("TypeError", ("update expected at most 1 argument, got %d"):format(1 + select("#", ...)))
  end
  return M.update(d, other, kw)
end)
types.dict.dict.get = native.make("dict.get", "self, key, default?", function(d, k, default)
  local i = d.pos[k] or d.pos[equal.key(k)]
  if i then
    return d.vals[i]
  end
  return default == nil and None or default
end, true)
core.class_set(types.dict, "fromkeys", setmetatable({f = native.make("dict.fromkeys", "cls, iterable, value?",
  function(_, keys, v)
    local d = dict.new()
    for k in iter.iter(keys) do
      dict.put(d, k, v == nil and None or v)
    end
    return d
  end)}, attr.Classmethod))

-- Sets ------------------------------------------------------------------------------------------------

local function as_set(v)
  local k = core.kind(v)
  return (k == "set" or k == "frozenset") and v or set.of(v)
end

-- A function over any number of iterables, one after the other.
local function each_of(f, ...)
  for i = 1, select("#", ...) do
    f((select(i, ...)))
  end
end

local function intersection(s, ...)
  local r = s
  each_of(function(v) r = set.intersection(r, v) end, ...)
  return rawequal(r, s) and set.copy(s) or r
end

for _, cls in ipairs {types.set, types.frozenset} do
  cls.dict.union = native.make("set.union", "**", function(_, s, ...)
    local r = set.copy(s)
    each_of(function(v)
      if not rawequal(v, s) then
        set.update(r, v)
      end
    end, ...)
    return r
  end)
  cls.dict.intersection = native.make("set.intersection", "**", function(_, s, ...) return intersection(s, ...) end)
  cls.dict.difference = native.make("set.difference", "**", function(_, s, first, ...)
    local r = first == nil and set.copy(s) or set.difference(s, first)
    each_of(function(v) set.subtract(r, v) end, ...)
    return r
  end)
  native.methods(cls, {
    ["symmetric_difference(self, other)"] = set.symmetric,
    ["issubset(self, other)"] = function(a, b) return equal.le(a, as_set(b)) end,
    ["issuperset(self, other)"] = function(a, b) return equal.ge(a, as_set(b)) end,
    ["isdisjoint(self, other)"] = function(a, b) return set.intersection(a, b).n == 0 end,
    ["copy(self)"] = set.copy,
  })
end
for name, f in pairs {update = set.update, difference_update = set.subtract} do
  types.set.dict[name] = native.make("set." .. name, "**", function(_, s, ...)
    each_of(function(v) f(s, v) end, ...)
    return None
  end)
end
types.set.dict.intersection_update = native.make("set.intersection_update", "**", function(_, s, ...)
  set.refill(s, intersection(s, ...))
  return None
end)
native.methods(types.set, {
  ["symmetric_difference_update(self, other)"] = function(s, v) set.toggle(s, v) return None end,
  ["add(self, elem)"] = function(s, v) set.add(s, v) return None end,
  ["discard(self, elem)"] = function(s, v) set.remove(s, v) return None end,
  ["remove(self, elem)"] = function(s, v)
    if not set.remove(s, v) then
      exc.throw(exc.make(exc.classes.KeyError, v))
    end
    return None
  end,
  ["pop(self)"] = function(s)
    local k = set.pop(s)
    if k == nil then
      exc.throw(exc.make(exc.classes.KeyError, "pop from an empty set"))
    end
    return k
  end,
  ["clear(self)"] = function(s) set.init(s) return None end,
})

-- Ranges, slices, generators ----------------------------------------------------------------------------

local function field(name, key)
  return attr.Property and setmetatable({fget = native.make(name, "self", function(o) return o[key] end)}, attr.Property)
end
for _, name in ipairs {"start", "stop", "step"} do
  types.range.dict[name] = field(name, name)
end
types.slice.dict.start, types.slice.dict.stop, types.slice.dict.step = field("start", "lo"), field("stop", "hi"),
  field("step", "step")
native.methods(types.slice, {
  ["indices(self, length)"] = function(s, n) return core.pack(index.bounds(s, n)) end,
})
native.methods(types.range, {
  ["index(self, value)"] = function(r, v)
    if not index.contains(v, r) then
      exc.fail("ValueError", ("%s is not in range"):format(late.repr(v)))
    end
    return (v - r.start) // r.step
  end,
  ["count(self, value)"] = function(r, v) return index.contains(v, r) and 1 or 0 end,
})
native.methods(types.generator, {
  ["send(self, value)"] = iter.send,
  ["throw(self, exception)"] = iter.throw, ["close(self)"] = iter.close,
  ["__next__(self)"] = function(g) return iter.next(g) end, ["__iter__(self)"] = function(g) return g end,
})
native.methods(types.iterator, {
  ["__next__(self)"] = function(it) return iter.next(it) end, ["__iter__(self)"] = function(it) return it end,
})

-- Special methods of built-in kinds, for super() and explicit calls: past those of the user's class ------

local function sized(o) return index.raw_length(o) end
local function by_iter(o)
  local mt = getmt(o)
  return iter.iterator(iter.stepper(mt.__kind == "dict" and view "keys"(o) or setmetatable(
    table.move(o, 1, o.n, 1, {n = o.n}), core.List)), mt.__kind .. "_iterator")
end

local function fill_list(l, v)
  clear(setmetatable(l, getmt(l)))
  return v ~= nil and ops.extend(l, v) and None or None
end

local container = {
  ["__len__(self)"] = sized, ["__getitem__(self, key)"] = index.raw, ["__iter__(self)"] = by_iter,
  ["__contains__(self, key)"] = index.raw_contains,
  ["__setitem__(self, key, value)"] = function(o, k, v) index.raw_set(o, k, v) return None end,
  ["__delitem__(self, key)"] = function(o, k) index.raw_delete(o, k) return None end,
}

for _, kind in ipairs {"list", "tuple", "dict", "set", "frozenset"} do
  attr.fallback[kind] = native.functions({}, container)
end
attr.fallback.list.__init__ = native.make("list.__init__", "self, iterable?", function(l, v)
  l.n = l.n or 0
  return fill_list(l, v)
end)
attr.fallback.dict.__init__ = native.make("dict.__init__", "**", function(kw, d, v) return M.update(d, v, kw) end)
attr.fallback.set.__init__ = native.make("set.__init__", "self, iterable?", function(s, v)
  if v ~= nil then
    set.update(s, v)
  end
  return None
end)
M.fill_list, M.call = fill_list, call

return M
