-- python/index.lua: o[k], o[k] = v, del o[k], slices, `in`, len.

local characters = require "moontile.python.places"
local core = require "moontile.python.core"
local dict = require "moontile.python.dict"
local equal = require "moontile.python.equal"
local exc = require "moontile.python.exc"
local func = require "moontile.python.func"
local iter = require "moontile.python.iter"

local M = {}

local late = core.late
local getmt, mtype, type, setmetatable = debug.getmetatable, math.type, type, setmetatable
local List, Tuple, Dict, Slice = core.List, core.Tuple, core.Dict, core.Slice
local call = func.call
local None = core.None

-- lo:hi:step; nil is what was left out.
function M.slice(lo, hi, step)
  return setmetatable({lo = lo == nil and None or lo, hi = hi == nil and None or hi,
    step = step == nil and None or step}, Slice)
end

-- An index as an integer; nil: it is none.
local function integer(k)
  if mtype(k) == "integer" then
    return k
  elseif type(k) == "boolean" then
    return k and 1 or 0
  end
  local box = core.unbox(k)
  if mtype(box) == "integer" then
    return box
  end
  local f = core.user_special(k, "__index__")
  if f then
    return call(f, k)
  end
  return late.foreign_integer and late.foreign_integer(k)
end
M.integer = integer

-- The same; TypeError: it is none.
function M.whole(k)
  return integer(k)
    or exc.fail("TypeError", ("'%s' object cannot be interpreted as an integer"):format(core.typename(k)))
end

local function bound(v, n, default, low, high)
  if v == None then
    return default
  end
  v = integer(v)
  if not v then
    exc.fail("TypeError", "slice indices must be integers or None or have an __index__ method")
  end
  if v < 0 then
    v = v + n
  end
  return v < low and low or v > high and high or v
end

-- The first index, that behind the last, and the step of a slice of n items.
function M.bounds(s, n)
  local step = s.step == None and 1 or integer(s.step)
  if step == 0 then
    exc.fail("ValueError", "slice step cannot be zero")
  elseif not step then
    exc.fail("TypeError", "slice indices must be integers or None or have an __index__ method")
  elseif step > 0 then
    return bound(s.lo, n, 0, 0, n), bound(s.hi, n, n, 0, n), step
  end
  return bound(s.lo, n, n - 1, -1, n - 1), bound(s.hi, n, -1, -1, n - 1), step
end

local function slice_items(l, s)
  local lo, hi, step = M.bounds(s, l.n)
  local r, n = {}, 0
  if step == 1 then
    n = hi > lo and hi - lo or 0
    table.move(l, lo + 1, lo + n, 1, r)
  else
    for i = lo, hi - (step > 0 and 1 or -1), step do
      n = n + 1
      r[n] = l[i + 1]
    end
  end
  return r, n
end

-- Texts -------------------------------------------------------------------------------------------

local text_length = characters.length
M.text_length = text_length

-- Characters lo .. hi - 1 of a text.
local function text_part(s, lo, hi)
  if hi <= lo then
    return ""
  end
  return s:sub(characters.byte(s, lo), characters.byte(s, hi) - 1)
end

local function text_slice(s, k)
  local lo, hi, step = M.bounds(k, text_length(s))
  if step == 1 then
    return text_part(s, lo, hi)
  end
  local chars, parts = {}, {}
  for c in iter.characters(s) do
    chars[#chars + 1] = c
  end
  for i = lo, hi - (step > 0 and 1 or -1), step do
    parts[#parts + 1] = chars[i + 1]
  end
  return table.concat(parts)
end

-- Errors ------------------------------------------------------------------------------------------

local function out_of_range(what)
  exc.fail("IndexError", what .. " index out of range")
end

local function bad_index(what, k)
  exc.fail("TypeError", what == "string" and ("string indices must be integers, not '%s'"):format(core.typename(k))
    or ("%s indices must be integers or slices, not %s"):format(what, core.typename(k)))
end

local function no_key(k)
  local e = exc.make(exc.classes.KeyError, k)
  exc.throw(e)
end

-- Reading -----------------------------------------------------------------------------------------

local function sequence(l, k, name, meta)
  local i = integer(k)
  if i then
    local v = l[i < 0 and i + l.n + 1 or i + 1]
    if v == nil or i < -l.n then
      out_of_range(name)
    end
    return v
  elseif getmt(k) == Slice then
    local r, n = slice_items(l, k)
    r.n = n
    return setmetatable(r, meta)
  end
  bad_index(name, k)
end

local function text(s, k)
  local i = integer(k)
  if i then
    local n = text_length(s)
    i = i < 0 and i + n or i
    if i < 0 or i >= n then
      out_of_range "string"
    end
    return text_part(s, i, i + 1)
  elseif getmt(k) == Slice then
    return text_slice(s, k)
  end
  bad_index("string", k)
end

local function range(r, k)
  local i, n = integer(k), equal.range_length(r)
  if i then
    i = i < 0 and i + n or i
    if i < 0 or i >= n then
      out_of_range "range object"
    end
    return r.start + i * r.step
  end
  local lo, hi, step = M.bounds(k, n)
  return setmetatable({start = r.start + lo * r.step, stop = r.start + hi * r.step, step = r.step * step}, core.Range)
end

local function bytes(b, k)
  local i = integer(k)
  if i then
    return b.s:byte(i < 0 and i + #b.s + 1 or i + 1) or out_of_range "index"
  end
  local lo, hi = M.bounds(k, #b.s)
  return setmetatable({s = b.s:sub(lo + 1, hi)}, core.Bytes)
end

local kinds = {
  list = function(l, k) return sequence(l, k, "list", List) end,
  tuple = function(l, k) return sequence(l, k, "tuple", Tuple) end,
  dict = function(d, k)
    local v = dict.get(d, k)
    if v == nil then
      local f = core.user_special(d, "__missing__")
      if f then
        return call(f, d, k)
      end
      no_key(k)
    end
    return v
  end,
  str = text, range = range, bytes = bytes,
  type = function(cls, k)
    local f = cls.lookup.__class_getitem__
    if f then
      return call(late.attr(cls, "__class_getitem__"), k)
    elseif cls.metaclass and cls.metaclass.special.__getitem__ then
      return call(cls.metaclass.special.__getitem__, cls, k)
    end
    return late.generic(cls, k)
  end,
}

-- o[k] past the __getitem__ of the user's class.
function M.raw(o, k)
  local mt = getmt(o)
  local f = mt and mt.__kind and kinds[mt.__kind]
  return f and f(o, k)
end

local function general(o, k, mt)
  if mt and mt.__user then
    local f = mt.__pyclass.special.__getitem__
    if f then
      return call(f, o, k)
    elseif o[core.BOX] ~= nil then
      return M.index(o[core.BOX], k)
    end
  end
  local f = mt and mt.__pyclass and kinds[mt.__kind]
  if f then
    return f(o, k)
  elseif mt and mt.__py_index then
    return mt.__py_index(o, k)
  end
  exc.fail("TypeError", mt == core.Type and ("type '%s' is not subscriptable"):format(o.name)
    or ("'%s' object is not subscriptable"):format(core.typename(o)))
end

-- o[k], o[k1, k2]
function M.index(o, k, ...)
  local mt = getmt(o)
  if ... ~= nil then
    if core.foreign(o) and not (mt and mt.__py_index) then
      return late.foreign_index(o, k, ...)
    end
    return general(o, core.pack(k, ...), mt)
  elseif mt == List or mt == Tuple then
    if mtype(k) == "integer" then
      local v
      if k >= 0 then
        v = o[k + 1]
      else
        v = o[o.n + k + 1]
      end
      if v == nil then
        out_of_range(mt.__name)
      end
      return v
    end
  elseif mt == Dict then
    local i = o.pos[k]
    if i then
      return o.vals[i]
    end
  elseif type(o) == "string" then
    return text(o, k)
  elseif not (mt and mt.__pyclass) and not (mt and mt.__py_index) and core.foreign(o) then
    return late.foreign_index(o, k)
  end
  return general(o, k, mt)
end
late.index = M.index

-- Writing -----------------------------------------------------------------------------------------

-- Puts the items of `new` where lo .. hi - 1 of l were.
local function splice(l, lo, hi, new)
  hi = hi < lo and lo or hi
  local n, m = l.n, new.n
  table.move(l, hi + 1, n, lo + m + 1)
  table.move(new, 1, m, lo + 1, l)
  l.n = n - (hi - lo) + m
  for i = l.n + 1, n do
    l[i] = nil
  end
end

local function set_slice(l, k, v)
  local lo, hi, step = M.bounds(k, l.n)
  local new = iter.list(v)
  if step == 1 then
    return splice(l, lo, hi, new)
  end
  local n = 0
  local places = {}
  for i = lo, hi - (step > 0 and 1 or -1), step do
    n = n + 1
    places[n] = i + 1
  end
  if n ~= new.n then
    exc.fail("ValueError", ("attempt to assign sequence of size %d to extended slice of size %d"):format(new.n, n))
  end
  for j = 1, n do
    l[places[j]] = new[j]
  end
end

local function set_item(l, k, v)
  local i = integer(k)
  if i then
    i = i < 0 and i + l.n or i
    if i < 0 or i >= l.n then
      exc.fail("IndexError", "list assignment index out of range")
    end
    l[i + 1] = v
  elseif getmt(k) == Slice then
    set_slice(l, k, v)
  else
    bad_index("list", k)
  end
end

local setters = {list = set_item, dict = dict.put}

-- o[k] = v past the __setitem__ of the user's class.
function M.raw_set(o, k, v)
  setters[getmt(o).__kind](o, k, v)
end

-- A class with one of the two is asked for the other by name, as CPython's slots do.
local function no_item(o, what, k)
  local other, name = "__setitem__", "__delitem__"
  if what == "assignment" then
    other, name = name, other
  end
  if core.user_special(o, other) then
    exc.fail("AttributeError", name)
  end
  exc.fail("TypeError", ("'%s' object %s support item %s"):format(core.typename(o),
    what == "deletion" and type(o) ~= "number" and type(o) ~= "boolean" and o ~= None and integer(k) and "doesn't"
    or "does not", what))
end

local function general_set(o, v, k, mt)
  if mt and mt.__user then
    local f = mt.__pyclass.special.__setitem__
    if f then
      return call(f, o, k, v)
    end
  end
  local f = mt and mt.__pyclass and setters[mt.__kind]
  if f then
    f(o, k, v)
  elseif mt and mt.__py_setindex then
    mt.__py_setindex(o, k, v)
  else
    no_item(o, "assignment")
  end
end

-- o[k] = v, o[k1, k2] = v
function M.setindex(o, v, k, ...)
  local mt = getmt(o)
  if ... ~= nil then
    if core.foreign(o) and not (mt and mt.__py_setindex) then
      return late.foreign_setindex(o, v, k, ...)
    end
    return general_set(o, v, core.pack(k, ...), mt)
  elseif mt == Dict then
    local i = not o.frozen and o.pos[k]
    if i then
      o.vals[i] = v
      return
    end
    return dict.put(o, k, v)
  elseif mt == List and mtype(k) == "integer" and k >= 0 and k < o.n then
    o[k + 1] = v
    return
  elseif core.foreign(o) and not (mt and mt.__py_setindex) then
    return late.foreign_setindex(o, v, k)
  end
  general_set(o, v, k, mt)
end

local function delete_list(l, k)
  if getmt(k) ~= Slice then
    local i = integer(k) or bad_index("list", k)
    i = i < 0 and i + l.n or i
    if i < 0 or i >= l.n then
      exc.fail("IndexError", "list assignment index out of range")
    end
    return splice(l, i, i + 1, {n = 0})
  end
  local lo, hi, step = M.bounds(k, l.n)
  if step == 1 then
    return splice(l, lo, hi, {n = 0})
  end
  local gone = {}
  for i = lo, hi - (step > 0 and 1 or -1), step do
    gone[i + 1] = true
  end
  local n = 0
  for i = 1, l.n do
    if not gone[i] then
      n = n + 1
      l[n] = l[i]
    end
  end
  for i = n + 1, l.n do
    l[i] = nil
  end
  l.n = n
end

local deleters = {
  list = delete_list,
  dict = function(d, k)
    if not dict.remove(d, k) then
      no_key(k)
    end
  end,
}

function M.raw_delete(o, k)
  deleters[getmt(o).__kind](o, k)
end

-- del o[k]
function M.delindex(o, k, ...)
  if ... ~= nil then
    k = core.pack(k, ...)
  end
  local mt = getmt(o)
  local f = core.user_special(o, "__delitem__")
  if f then
    return call(f, o, k)
  elseif mt and mt.__pyclass and deleters[mt.__kind] then
    return deleters[mt.__kind](o, k)
  end
  no_item(o, "deletion", k)
end

-- len -----------------------------------------------------------------------------------------------

local sized = {list = true, tuple = true, dict = true, set = true, frozenset = true}

-- len(o) past the user's __len__; nil: it has none.
function M.raw_length(o)
  local mt = getmt(o)
  if type(o) == "string" then
    return text_length(o)
  elseif not mt or not mt.__pyclass then
    return nil
  elseif sized[mt.__kind] then
    return o.n
  elseif mt.__kind == "range" then
    return equal.range_length(o)
  elseif mt.__kind == "bytes" then
    return #o.s
  elseif mt.__user and type(o[core.BOX]) == "string" then
    return text_length(o[core.BOX])
  end
end

function M.len(o)
  local mt = getmt(o)
  if mt == List or mt == Tuple or mt == Dict then
    return o.n
  end
  local f = core.user_special(o, "__len__")
  if f then
    local n = call(f, o)
    if mtype(n) ~= "integer" then
      exc.fail("TypeError", ("'%s' object cannot be interpreted as an integer"):format(core.typename(n)))
    elseif n < 0 then
      exc.fail("ValueError", "__len__() should return >= 0")
    end
    return n
  end
  local n = M.raw_length(o)
  if not n and mt == core.Type and o.metaclass and o.metaclass.special.__len__ then
    return call(o.metaclass.special.__len__, o)
  elseif not n and mt and mt.__py_len then
    return mt.__py_len(o)
  elseif not n and core.foreign(o) then
    n = late.foreign_length(o)
  end
  if not n then
    exc.fail("TypeError", ("object of type '%s' has no len()"):format(core.typename(o)))
  end
  return n
end

late.length = M.len

-- in --------------------------------------------------------------------------------------------------

local function found(x, o)
  for v in iter.iter(o) do
    if rawequal(v, x) or equal.same(v, x) then
      return true
    end
  end
  return false
end

local members = {
  dict = function(o, x) return dict.has(o, x) end,
  set = function(o, x) return dict.has(o, x) end,
  frozenset = function(o, x) return dict.has(o, x) end,
  range = function(r, x)
    if mtype(x) ~= "integer" then
      return mtype(x) == "float" and math.tointeger(x) ~= nil and found(x, r)
    end
    local d = x - r.start
    return d % r.step == 0 and d // r.step >= 0 and d // r.step < equal.range_length(r)
  end,
  bytes = function(b, x)
    return b.s:find(mtype(x) and string.char(x) or x.s, 1, true) ~= nil
  end,
}

-- x in o past the user's __contains__
function M.raw_contains(o, x)
  local f = members[getmt(o).__kind]
  if f then
    return f(o, x)
  end
  return found(x, o)
end

-- x in o
function M.contains(x, o)
  local mt = getmt(o)
  if type(o) == "string" then
    local t = core.unbox(x)
    if type(t) ~= "string" then
      exc.fail("TypeError", ("'in <string>' requires string as left operand, not %s"):format(core.typename(x)))
    end
    return o:find(t, 1, true) ~= nil
  elseif mt == Dict then
    return (o.pos[x] or o.pos[equal.key(x)]) ~= nil
  elseif mt and mt.__user then
    local f = mt.__pyclass.special.__contains__
    if f then
      return late.truth(call(f, o, x))
    elseif type(o[core.BOX]) == "string" then
      return M.contains(x, o[core.BOX])
    end
  elseif mt == core.Type and o.metaclass and o.metaclass.special.__contains__ then
    return late.truth(call(o.metaclass.special.__contains__, o, x))
  elseif mt and mt.__py_contains then
    return mt.__py_contains(o, x)
  end
  if mt and mt.__pyclass and members[mt.__kind] and not (mt.__user and mt.__pyclass.special.__iter__) then
    return members[mt.__kind](o, x)
  elseif not (mt and mt.__pyclass) and not core.foreign(o) or iter.barren(o) then
    exc.fail("TypeError", ("argument of type '%s' is not iterable"):format(core.typename(o)))
  end
  return found(x, o)
end

function M.notcontains(x, o)
  return not M.contains(x, o)
end

-- a is b: of numbers and texts by value
function M.is(a, b)
  return rawequal(a, b) and mtype(a) == mtype(b)
end

function M.isnot(a, b)
  return not M.is(a, b)
end

return M
