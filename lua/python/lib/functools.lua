-- python/lib/functools.lua: Python's module functools.

local attr = require "moontile.python.attr"
local class = require "moontile.python.class"
local core = require "moontile.python.core"
local dict = require "moontile.python.dict"
local exc = require "moontile.python.exc"
local func = require "moontile.python.func"
local iter = require "moontile.python.iter"
local native = require "moontile.python.native"
local ops = require "moontile.python.ops"

local M = {}

local getmt = debug.getmetatable
local None, sigs, call = core.None, core.sigs, func.call
local repr = core.late.repr

-- partial -------------------------------------------------------------------------------------------

local Partial = {__name = "partial", __kind = "partial"}
local partial = core.builtin("partial", Partial)
partial.module = "functools"

local function both(p, kw, ...)
  local args = {...}
  local n = select("#", ...)
  local all = table.move(args, 1, n, p.args.n + 1, table.move(p.args, 1, p.args.n, 1, {}))
  local names = dict.copy(p.kw)
  for k, v in dict.each(kw or dict.new()) do
    dict.put(names, k, v)
  end
  return core.tuple(all, p.args.n + n), names
end

partial.construct = native.make("partial", "**", function(kw, f, ...)
  if f == nil then
    exc.fail("TypeError", "type 'partial' takes at least one argument")
  end
  if getmt(f) == Partial then
    local args, names = both(f, kw, ...)
    return setmetatable({f = f.f, args = args, kw = names}, Partial)
  end
  return setmetatable({f = f, args = core.pack(...), kw = kw or dict.new()}, Partial)
end)
partial.native_new = partial.construct
Partial.__user = true
partial.dict.__call__ = native.make("partial.__call__", "**", function(kw, p, ...)
  local args, names = both(p, kw, ...)
  return func.calls(p.f, args, names)
end)
partial.dict.__repr__ = native.make("__repr__", "self", function(p)
  local parts = {repr(p.f)}
  for i = 1, p.args.n do
    parts[#parts + 1] = repr(p.args[i])
  end
  for k, v in dict.each(p.kw) do
    parts[#parts + 1] = k .. "=" .. repr(v)
  end
  return "functools.partial(" .. table.concat(parts, ", ") .. ")"
end)
for name, key in pairs {func = "f", args = "args", keywords = "kw"} do
  partial.dict[name] = setmetatable({fget = native.make(name, "self", function(p) return p[key] end)}, attr.Property)
end
M.partial = partial

-- Caches --------------------------------------------------------------------------------------------

-- The key of a call: its arguments as a tuple.
local function key_of(kw, ...)
  local t = core.pack(...)
  for k, v in dict.each(kw or dict.new()) do
    t.n = t.n + 2
    t[t.n - 1], t[t.n] = k, v
  end
  return t
end

local copied = {"name", "qual", "doc", "module", "annotation", "returns"}

-- What a wrapper shows of the function that it wraps.
local function disguise(w, f)
  local from, to = sigs[f], sigs[w]
  if from and to then
    for _, k in ipairs(copied) do
      to[k] = from[k]
    end
    local own = attr.own_dict(f)
    for k, v in dict.each(own or dict.new()) do
      attr.set_function(w, k, v)
    end
  end
  attr.set_function(w, "__wrapped__", f)
  return w
end

local function cached(f, max)
  local values, hits, misses = dict.new(), 0, 0
  local w = native.make("cached", "**", function(kw, ...)
    local key = key_of(kw, ...)
    local v = dict.get(values, key)
    if v ~= nil then
      hits = hits + 1
      if max then -- the one used last is the youngest
        dict.remove(values, key)
        dict.put(values, key, v)
      end
      return v
    end
    misses = misses + 1
    v = func.calls(f, core.pack(...), kw)
    if max ~= 0 then
      dict.put(values, key, v)
    end
    if max and max > 0 and values.n > max then
      dict.remove(values, (dict.each(values)()))
    end
    return v
  end)
  disguise(w, f)
  attr.set_function(w, "cache_info", native.make("cache_info", "", function()
    return require("moontile.python.lib.collections").info("CacheInfo", {"hits", "misses", "maxsize", "currsize"},
      {hits, misses, max or None, values.n})
  end))
  attr.set_function(w, "cache_clear", native.make("cache_clear", "", function()
    dict.clear(values)
    hits, misses = 0, 0
    return None
  end))
  return w
end

M.lru_cache = native.make("lru_cache", "maxsize?, typed?", function(max)
  if max ~= nil and max ~= None and not math.type(max) then
    return cached(max, 128)
  end
  return native.make("lru_cache", "f", function(f)
    if max == None then
      return cached(f)
    end
    return cached(f, max or 128)
  end)
end)
M.cache = native.make("cache", "f", function(f) return cached(f) end)

local cached_property = class.make("cached_property", {core.types.object}, {}, {})
cached_property.module = "functools"
cached_property.construct = function(f)
  return setmetatable({f = f}, cached_property.meta)
end
core.class_set(cached_property, "__set_name__", native.make("__set_name__", "self, owner, name", function(p, _, name)
  p.name = name
  return None
end))
core.class_set(cached_property, "__get__", native.make("__get__", "self, o, owner", function(p, o)
  if o == None then
    return p
  end
  local v = call(p.f, o)
  attr.put(o, p.name, v)
  return v
end))
M.cached_property = cached_property

-- Wrapping ------------------------------------------------------------------------------------------

M.update_wrapper = native.make("update_wrapper", "wrapper, wrapped", disguise)
M.wraps = native.make("wraps", "wrapped, assigned?, updated?", function(f)
  return native.make("wraps", "wrapper", function(w)
    return disguise(w, f)
  end)
end)

-- Folding and ordering ------------------------------------------------------------------------------

M.reduce = native.make("reduce", "function, iterable, initial?", function(f, v, initial)
  local r = initial
  for x in iter.iter(v) do
    if r == nil then
      r = x
    else
      r = call(f, r, x)
    end
  end
  if r == nil then
    exc.fail("TypeError", "reduce() of empty iterable with no initial value")
  end
  return r
end)

M.cmp_to_key = native.make("cmp_to_key", "cmp", function(cmp)
  local K = class.make("K", {core.types.object}, {}, {})
  local function compared(name, test)
    core.class_set(K, name, native.make(name, "self, other", function(a, b) return test(call(cmp, a.obj, b.obj)) end))
  end
  compared("__lt__", function(r) return r < 0 end)
  compared("__gt__", function(r) return r > 0 end)
  compared("__le__", function(r) return r <= 0 end)
  compared("__ge__", function(r) return r >= 0 end)
  compared("__eq__", function(r) return r == 0 end)
  return native.make("K", "obj", function(o) return setmetatable({obj = o}, K.meta) end)
end)

-- name -> from which other ones it follows, and how
local follows = {
  __lt__ = {__le__ = function(a, b, le) return le(a, b) and not le(b, a) end, __gt__ = function(a, b, gt) return gt(b, a) end,
    __ge__ = function(a, b, ge) return not ge(a, b) end},
  __le__ = {__lt__ = function(a, b, lt) return not lt(b, a) end, __ge__ = function(a, b, ge) return ge(b, a) end,
    __gt__ = function(a, b, gt) return not gt(a, b) end},
  __gt__ = {__lt__ = function(a, b, lt) return lt(b, a) end, __le__ = function(a, b, le) return not le(a, b) end,
    __ge__ = function(a, b, ge) return ge(a, b) and not ge(b, a) end},
  __ge__ = {__lt__ = function(a, b, lt) return not lt(a, b) end, __le__ = function(a, b, le) return le(b, a) end,
    __gt__ = function(a, b, gt) return not gt(b, a) end},
}

M.total_ordering = native.make("total_ordering", "cls", function(cls)
  local root
  for _, name in ipairs {"__lt__", "__le__", "__gt__", "__ge__"} do
    root = root or cls.special[name] and name
  end
  if not root then
    exc.fail("ValueError", "must define at least one ordering operation: < > <= >=")
  end
  local f = cls.special[root]
  local function known(a, b)
    return ops.truth(call(f, a, b))
  end
  for name, ways in pairs(follows) do
    if not cls.special[name] then
      core.class_set(cls, name, native.make(name, "self, other", function(a, b) return ways[root](a, b, known) end))
    end
  end
  return cls
end)

M.singledispatch = native.make("singledispatch", "func", function(f)
  local table_of = {}
  local w = native.make("dispatch", "**", function(kw, a, ...)
    for _, c in ipairs((core.class_of(a) or core.types.object).mro) do
      if table_of[c] then
        return func.calls(table_of[c], core.pack(a, ...), kw)
      end
    end
    return func.calls(f, core.pack(a, ...), kw)
  end)
  attr.set_function(w, "register", native.make("register", "cls, func?", function(cls, g)
    if g ~= nil then
      table_of[cls] = g
      return g
    elseif sigs[cls] then
      local sig = sigs[cls]
      table_of[sig.annotation[1] and sig.annotation[1]() or sig.annotation[sig[1]]()] = cls
      return cls
    end
    return native.make("register", "func", function(h)
      table_of[cls] = h
      return h
    end)
  end))
  return w
end)

return M
