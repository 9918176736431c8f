-- python/lib/collections.lua: Python's module collections.

local attr = require "moontile.python.attr"
local class = require "moontile.python.class"
local containers = require "moontile.python.containers"
local core = require "moontile.python.core"
local dict = require "moontile.python.dict"
local exc = require "moontile.python.exc"
local func = require "moontile.python.func"
local index = require "moontile.python.index"
local iter = require "moontile.python.iter"
local native = require "moontile.python.native"
local ops = require "moontile.python.ops"
local sort = require "moontile.python.sort"

local M = {}

local types, None = core.types, core.None
local repr = core.late.repr

-- A class of the library with these methods.
local function library(name, base, methods)
  local cls = class.make(name, {base}, {}, {})
  cls.module = "collections"
  for head, fn in pairs(methods) do
    local method, spec = head:match "^([%w_]+)%((.*)%)$"
    core.class_set(cls, method, native.make(name .. "." .. method, spec, fn))
  end
  return cls
end

-- namedtuple ----------------------------------------------------------------------------------------

-- Makes cls, derived from tuple, one with these fields; defaults: name -> value
local function with_fields(cls, names, defaults)
  local sig = {name = cls.name, qual = cls.name .. ".__new__"}
  sig[1] = "_cls"
  for i, name in ipairs(names) do
    sig[i + 1] = name
    core.class_set(cls, name, setmetatable({fget = native.make(name, "self", function(t) return t[i] end)},
      attr.Property))
  end
  sig.default = {}
  for i, name in ipairs(names) do
    sig.default[i + 1] = defaults[name]
  end
  local n = #names
  core.class_set(cls, "__new__", func.func(sig, function(s)
    return function(...)
      local values = table.pack(func.args(s, ...))
      return setmetatable(table.move(values, 2, n + 1, 1, {n = n}), values[1].meta)
    end
  end))
  sig.npos, sig.simple = #sig, true
  local fields = {}
  for i, name in ipairs(names) do
    fields[i] = name
  end
  core.class_set(cls, "_fields", core.tuple(fields))
  local d = dict.new()
  for i, name in ipairs(names) do
    if defaults[name] ~= nil then
      dict.put(d, names[i], defaults[name])
    end
  end
  core.class_set(cls, "_field_defaults", d)
  core.class_set(cls, "__match_args__", core.tuple(table.move(fields, 1, n, 1, {})))
end

local function asdict(t)
  local d = dict.new()
  for i, name in ipairs(attr.attr(t, "_fields")) do
    dict.put(d, name, t[i])
  end
  return d
end

local base = library("namedtuple", types.tuple, {
  ["_asdict(self)"] = asdict,
  ["__repr__(self)"] = function(t)
    local parts = {}
    for i, name in ipairs(attr.attr(t, "_fields")) do
      parts[i] = name .. "=" .. repr(t[i])
    end
    return core.typename(t) .. "(" .. table.concat(parts, ", ") .. ")"
  end,
})
core.class_set(base, "_replace", native.make("_replace", "**", function(kw, t)
  local d = asdict(t)
  containers.update(d, nil, kw)
  return func.calls(core.class_of(t), core.tuple {}, d)
end))
core.class_set(base, "_make", setmetatable({f = native.make("_make", "cls, iterable", function(cls, v)
  return func.calls(cls, iter.list(v))
end)}, attr.Classmethod))

-- A class NAME(field, ..)
function M.named(name, names, defaults)
  local cls = class.make(name, {base}, {}, {})
  with_fields(cls, names, defaults)
  return cls
end

-- A class of typing.NamedTuple: its annotations are the fields.
function M.fields_of(cls)
  local names, defaults = {}, {}
  for name in dict.each(cls.dict.__annotations__ or dict.new()) do
    names[#names + 1] = name
    defaults[name] = cls.dict[name]
  end
  cls.kind, cls.meta.__kind, cls.meta.__own = "tuple", "tuple", false
  table.insert(cls.mro, #cls.mro, base)
  table.insert(cls.mro, #cls.mro, types.tuple)
  with_fields(cls, names, defaults)
  cls.construct = function(...)
    return func.call(cls.special.__new__, cls, ...)
  end
end

-- A named tuple of a class made for it.
function M.info(name, names, values)
  local t = M.named(name, names, {})
  return func.calls(t, core.list(values))
end

M.namedtuple = native.make("namedtuple", "typename, field_names, *, rename, defaults, module",
  function(name, fields, _, defaults)
    local names = {}
    if type(fields) == "string" then
      for word in fields:gmatch "[^,%s]+" do
        names[#names + 1] = word
      end
    else
      names = iter.list(fields)
    end
    local by_name, given = {}, defaults and defaults ~= None and iter.list(defaults) or {n = 0}
    for i = 1, given.n do
      by_name[names[#names - given.n + i]] = given[i]
    end
    return M.named(name, table.move(names, 1, #names, 1, {}), by_name)
  end)

-- Dicts ---------------------------------------------------------------------------------------------

M.OrderedDict = library("OrderedDict", types.dict, {
  ["move_to_end(self, key, last?)"] = function(d, k, last)
    local there, v = dict.remove(d, k)
    if not there then
      exc.throw(exc.make(exc.classes.KeyError, k))
    end
    if last == false then
      local copy = dict.copy(d)
      dict.init(d)
      dict.put(d, k, v)
      containers.update(d, copy)
    else
      dict.put(d, k, v)
    end
    return None
  end,
  ["popitem(self, last?)"] = function(d, last) return containers.popitem(d, last == false) end,
  ["__repr__(self)"] = function(d)
    local parts = {}
    for k, v in dict.each(d) do
      parts[#parts + 1] = ("(%s, %s)"):format(repr(k), repr(v))
    end
    return "OrderedDict(" .. (#parts > 0 and "[" .. table.concat(parts, ", ") .. "]" or "") .. ")"
  end,
})

M.defaultdict = library("defaultdict", types.dict, {
  ["__missing__(self, key)"] = function(d, k)
    local f = d[core.OWN].default_factory
    if f == None then
      exc.throw(exc.make(exc.classes.KeyError, k))
    end
    local v = func.call(f)
    dict.put(d, k, v)
    return v
  end,
  ["__repr__(self)"] = function(d)
    return ("defaultdict(%s, %s)"):format(repr(d[core.OWN].default_factory), core.late.kind_repr(d))
  end,
  ["copy(self)"] = function(d)
    return func.call(M.defaultdict, d[core.OWN].default_factory, d)
  end,
})
core.class_set(M.defaultdict, "__init__", native.make("defaultdict.__init__", "**", function(kw, d, factory, other)
  attr.put(d, "default_factory", factory == nil and None or factory)
  return containers.update(d, other, kw)
end))

local function count_in(c, v, sign)
  if v == nil then
    return
  elseif core.kind(v) == "dict" then
    for k, n in dict.each(v) do
      dict.put(c, k, ops.add(dict.get(c, k) or 0, sign * n))
    end
    return
  end
  for k in iter.iter(v) do
    dict.put(c, k, (dict.get(c, k) or 0) + sign)
  end
end

local function most_common(c, n)
  local l = {}
  for k, v in dict.each(c) do
    l[#l + 1] = core.pack(k, v)
  end
  sort.sort(core.list(l), native.make("key", "t", function(t) return t[2] end), true)
  return core.list(table.move(l, 1, n ~= nil and n ~= None and math.min(n, #l) or #l, 1, {}))
end

local function counter_of(f)
  return function(a, b)
    local c = func.call(M.Counter)
    f(a, b, function(k, n)
      if n > 0 then
        dict.put(c, k, n)
      end
    end)
    return c
  end
end

M.Counter = library("Counter", types.dict, {
  ["__missing__(self, key)"] = function() return 0 end, ["most_common(self, n?)"] = most_common,
  ["elements(self)"] = function(c)
    local l = {}
    for k, n in dict.each(c) do
      for _ = 1, n do
        l[#l + 1] = k
      end
    end
    return iter.object(core.list(l))
  end,
  ["total(self)"] = function(c)
    local n = 0
    for _, v in dict.each(c) do
      n = n + v
    end
    return n
  end,
  ["update(self, iterable?)"] = function(c, v) count_in(c, v, 1) return None end,
  ["subtract(self, iterable?)"] = function(c, v) count_in(c, v, -1) return None end,
  ["__repr__(self)"] = function(c)
    local parts = {}
    for _, p in ipairs(most_common(c)) do
      parts[#parts + 1] = repr(p[1]) .. ": " .. repr(p[2])
    end
    return "Counter(" .. (#parts > 0 and "{" .. table.concat(parts, ", ") .. "}" or "") .. ")"
  end,
  ["__pos__(self)"] = function(c) return func.method(c, "__add__", M.Counter.construct()) end,
  ["__neg__(self)"] = function(c) return func.method(M.Counter.construct(), "__sub__", c) end,
  ["__add__(self, other)"] = counter_of(function(a, b, put)
    for k, n in dict.each(a) do
      put(k, n + (dict.get(b, k) or 0))
    end
    for k, n in dict.each(b) do
      if not dict.has(a, k) then
        put(k, n)
      end
    end
  end),
  ["__and__(self, other)"] = counter_of(function(a, b, put)
    for k, n in dict.each(a) do
      put(k, math.min(n, dict.get(b, k) or 0))
    end
  end),
  ["__or__(self, other)"] = counter_of(function(a, b, put)
    for k, n in dict.each(a) do
      put(k, math.max(n, dict.get(b, k) or 0))
    end
    for k, n in dict.each(b) do
      if not dict.has(a, k) then
        put(k, n)
      end
    end
  end),
  ["__sub__(self, other)"] = counter_of(function(a, b, put)
    for k, n in dict.each(a) do
      put(k, n - (dict.get(b, k) or 0))
    end
    for k, n in dict.each(b) do
      if not dict.has(a, k) then
        put(k, -n)
      end
    end
  end),
})
core.class_set(M.Counter, "__init__", native.make("Counter.__init__", "**", function(kw, c, v)
  count_in(c, v, 1)
  for k, n in dict.each(kw or dict.new()) do
    dict.put(c, k, n)
  end
  return None
end))

-- deque ---------------------------------------------------------------------------------------------

local function trimmed(d, left)
  local max = d[core.OWN] and d[core.OWN].maxlen
  while max and max ~= None and d.n > max do
    table.remove(d, left and d.n or 1)
    d.n = d.n - 1
  end
  return None
end

local function push_left(d, v)
  table.insert(d, 1, v)
  d.n = d.n + 1
  return trimmed(d, true)
end

local function pop(left)
  return function(d)
    if d.n == 0 then
      exc.fail("IndexError", "pop from an empty deque")
    end
    local v = table.remove(d, left and 1 or d.n)
    d.n = d.n - 1
    return v
  end
end

M.deque = library("deque", types.list, {
  ["__init__(self, iterable?, maxlen?)"] = function(d, v, max)
    attr.put(d, "maxlen", max == nil and None or max)
    d.n = 0
    if v ~= nil then
      ops.extend(d, v)
    end
    return trimmed(d)
  end,
  ["append(self, x)"] = function(d, v)
    d.n = d.n + 1
    d[d.n] = v
    return trimmed(d)
  end,
  ["extend(self, iterable)"] = function(d, v) ops.extend(d, v) return trimmed(d) end,
  ["appendleft(self, x)"] = push_left,
  ["extendleft(self, iterable)"] = function(d, v)
    for x in iter.iter(iter.list(v)) do
      push_left(d, x)
    end
    return None
  end,
  ["pop(self)"] = pop(false), ["popleft(self)"] = pop(true),
  ["rotate(self, n?)"] = function(d, n)
    local m = d.n
    if m > 0 then
      n = (n or 1) % m
      local all = table.move(d, 1, m, 1, {})
      for i = 1, m do
        d[(i - 1 + n) % m + 1] = all[i]
      end
    end
    return None
  end,
  ["__repr__(self)"] = function(d)
    local max = d[core.OWN].maxlen
    return "deque(" .. core.late.kind_repr(d) .. (max ~= None and ", maxlen=" .. repr(max) or "") .. ")"
  end,
})

-- All keys of a ChainMap with the values that it gives: those of the last mapping come first.
local function chained(m)
  local d = dict.new()
  for i = m.maps.n, 1, -1 do
    for k in iter.iter(m.maps[i]) do
      dict.put(d, k, index.index(m.maps[i], k))
    end
  end
  return d
end

-- ChainMap: the first mapping that has the key
M.ChainMap = library("ChainMap", types.object, {
  ["__getitem__(self, key)"] = function(m, k)
    for i = 1, m.maps.n do
      if index.contains(k, m.maps[i]) then
        return index.index(m.maps[i], k)
      end
    end
    exc.throw(exc.make(exc.classes.KeyError, k))
  end,
  ["__setitem__(self, key, value)"] = function(m, k, v) index.setindex(m.maps[1], v, k) return None end,
  ["__contains__(self, key)"] = function(m, k)
    for i = 1, m.maps.n do
      if index.contains(k, m.maps[i]) then
        return true
      end
    end
    return false
  end,
  ["__iter__(self)"] = function(m) return iter.object(chained(m)) end,
  ["__len__(self)"] = function(m) return chained(m).n end,
  ["get(self, key, default?)"] = function(m, k, default)
    local v = dict.get(chained(m), k)
    if v == nil then
      v = default == nil and None or default
    end
    return v
  end,
  ["keys(self)"] = function(m) return func.method(chained(m), "keys") end,
  ["values(self)"] = function(m) return func.method(chained(m), "values") end,
  ["items(self)"] = function(m) return func.method(chained(m), "items") end,
  ["new_child(self, m?)"] = function(m, d)
    return M.ChainMap.construct(d == nil and dict.new() or d == None and dict.new() or d, table.unpack(m.maps, 1, m.maps.n))
  end,
  ["__repr__(self)"] = function(m)
    local parts = {}
    for i = 1, m.maps.n do
      parts[i] = repr(m.maps[i])
    end
    return "ChainMap(" .. table.concat(parts, ", ") .. ")"
  end,
})
core.class_set(M.ChainMap, "__init__", native.make("ChainMap.__init__", "**", function(_, m, ...)
  m.maps = core.list(select("#", ...) > 0 and {...} or {dict.new()})
  return None
end))

for _, name in ipairs {"UserDict", "UserList"} do
  M[name] = library(name, name == "UserDict" and types.dict or types.list, {})
end

return M
