-- python/iter.lua: the iteration protocol, generators, unpacking.
--
-- iter(v) gives a function that gives the next value, or nil at the end: what a generic `for` of Lua's
-- takes.  Iterators that Python's code holds (iter(), zip(), generators) are objects with such a
-- function in field `next`.

local core = require "moontile.python.core"
local dict = require "moontile.python.dict"
local equal = require "moontile.python.equal"
local exc = require "moontile.python.exc"
local func = require "moontile.python.func"

local M = {}

local late = core.late
local getmt, mtype, type, setmetatable = debug.getmetatable, math.type, type, setmetatable
local status, yield = coroutine.status, coroutine.yield
local call = func.call

local function resume(co, ...)
  exc.callers[co] = coroutine.running()
  return coroutine.resume(co, ...)
end

-- An iterator object: next() -> value or nil.  name: its type.
M.Iterator = {__name = "iterator", __kind = "iterator"}
core.types.iterator = core.builtin("iterator", M.Iterator)

local metas = {}

-- The metatable of iterators of this type; repr shows it.
local function meta_of(name)
  local meta = metas[name]
  if not meta then
    meta = {__name = name, __kind = "iterator"}
    core.builtin(name, meta, {core.types.iterator})
    meta.__pyclass.kind = "iterator"
    metas[name] = meta
  end
  return meta
end

function M.iterator(next, name)
  return setmetatable({next = next}, name and meta_of(name) or M.Iterator)
end

-- Ranges ------------------------------------------------------------------------------------------

local function up(stop, i)
  i = i + 1
  if i < stop then
    return i
  end
end

local function range(r)
  local step, stop = r.step, r.stop
  if step == 1 then
    return up, stop, r.start - 1
  end
  local i, left = r.start, equal.range_length(r)
  return function()
    if left > 0 then
      local v = i
      left, i = left - 1, i + step
      return v
    end
  end
end

-- Texts -------------------------------------------------------------------------------------------

local function characters(s)
  local i, n = 0, #s
  if not s:find "[\x80-\xff]" then
    return function()
      i = i + 1
      if i <= n then
        return s:sub(i, i)
      end
    end
  end
  return s:gmatch "[%z\1-\x7f\xc2-\xf4][\x80-\xbf]*"
end
M.characters = characters

-- Every kind --------------------------------------------------------------------------------------

local function items(l)
  local i = 0
  return function()
    i = i + 1
    return l[i]
  end
end

local function first(k)
  return k
end

local kinds = {
  list = items, tuple = items, range = range,
  dict = function(d) return dict.walk(d, first) end, set = function(s) return dict.walk(s, first) end,
  frozenset = function(s) return dict.walk(s, first) end,
  bytes = function(b)
    local i = 0
    return function()
      i = i + 1
      return b.s:byte(i)
    end
  end,
  iterator = function(it) return it.next end,
}

-- Calls f(...); StopIteration is nil, and what it holds.
local function until_stop(f, ...)
  local ok, v = xpcall(f, exc.handler, ...)
  if ok then
    return v
  end
  local e = exc.of(v)
  if e and core.subclass(getmt(e).__pyclass, exc.classes.StopIteration) then
    return nil, e
  end
  error(v, 0)
end

local function by_next(it)
  local f = core.user_special(it, "__next__")
  return function()
    return (until_stop(call, f, it))
  end
end

local function not_iterable(v)
  exc.fail("TypeError", ("'%s' object is not iterable"):format(core.typename(v)), "py_iter", nil)
end

-- o[0], o[1] .. until IndexError
local function by_index(o, f)
  local i = -1
  return function()
    i = i + 1
    local ok, v = xpcall(call, exc.handler, f, o, i)
    if ok then
      return v
    end
    local e = exc.of(v)
    if e and core.subclass(getmt(e).__pyclass, exc.classes.IndexError) then
      return nil
    end
    error(v, 0)
  end
end

local function user(v, mt)
  local special = mt.__pyclass.special
  if special.__iter__ then
    local it = call(special.__iter__, v)
    if core.user_special(it, "__next__") then
      return by_next(it)
    elseif getmt(it) and getmt(it).__kind == "iterator" or getmt(it) == core.Generator then
      return M.iter(M.own(it, special.__iter__))
    end
    exc.fail("TypeError", ("iter() returned non-iterator of type '%s'"):format(core.typename(it)))
  elseif special.__getitem__ then
    return by_index(v, special.__getitem__)
  end
end

-- The values of a generic `for` over v.  ...: what else v's expression gave, where it is an
-- iterator of Lua's.
function M.iter(v, ...)
  local mt = getmt(v)
  if mt == core.List or mt == core.Tuple then
    local i = 0
    return function()
      i = i + 1
      return v[i]
    end
  elseif type(v) == "string" then
    return characters(v)
  end
  if mt and mt.__user then
    local f, s, c, closing = user(v, mt)
    if f then
      return f, s, c, closing
    elseif type(v[core.BOX]) == "string" then
      return characters(v[core.BOX])
    end
  end
  local f = mt and mt.__kind and kinds[mt.__kind]
  if f and mt.__pyclass then
    return f(v)
  elseif mt == core.Type and v.metaclass and v.metaclass.special.__iter__ then
    return M.iter(call(v.metaclass.special.__iter__, v))
  elseif core.foreign(v) then
    local g, s, c, closing = late.foreign_iter(v, ...)
    if g then
      return g, s, c, closing
    end
  end
  not_iterable(v)
end
late.iter = M.iter

-- A function that gives the next value of v, without a state of its own.
function M.stepper(v)
  local f, s, c = M.iter(v)
  if s == nil then
    return f
  end
  return function()
    c = f(s, c)
    return c
  end
end

-- iter(v): an object
function M.object(v)
  local mt = getmt(v)
  if mt and (mt.__kind == "iterator" or mt == core.Generator) then
    return v
  elseif mt and mt.__user and mt.__pyclass.special.__iter__ then
    return call(mt.__pyclass.special.__iter__, v)
  end
  local name = core.typename(v)
  name = name == "dict" and "dict_key" or name == "str" and "str_ascii" or name
  return M.iterator(M.stepper(v), name .. "_iterator")
end

local function stop(value)
  local e = value ~= nil and value ~= core.None and exc.make(exc.classes.StopIteration, value)
    or exc.make(exc.classes.StopIteration)
  exc.throw(e)
end

-- next(it), next(it, default)
function M.next(it, default)
  local mt = getmt(it)
  local v, e
  if mt and mt.__kind == "iterator" then
    v = it.next()
  elseif mt == core.Generator then
    v, e = M.step(it)
  elseif core.user_special(it, "__next__") then
    v, e = until_stop(call, core.user_special(it, "__next__"), it)
    if v == nil and default == nil then
      error(e, 0)
    end
  else
    exc.fail("TypeError", ("'%s' object is not an iterator"):format(core.typename(it)))
  end
  if v ~= nil then
    return v
  elseif default ~= nil then
    return default
  end
  stop(e)
end

-- All of v as a list; as a tuple.
function M.list(v)
  local l, n = {}, 0
  local mt = getmt(v)
  if mt == core.List or mt == core.Tuple then
    n = v.n
    table.move(v, 1, n, 1, l)
  else
    for x in M.iter(v) do
      n = n + 1
      l[n] = x
    end
  end
  return core.list(l, n)
end

function M.tuple(v)
  if getmt(v) == core.Tuple then
    return v
  end
  return setmetatable(M.list(v), core.Tuple)
end

-- Unpacking ---------------------------------------------------------------------------------------

local function wrong_count(n, got)
  if got < n then
    exc.fail("ValueError", ("not enough values to unpack (expected %d, got %d)"):format(n, got), "py_unpack", nil)
  end
  exc.fail("ValueError", ("too many values to unpack (expected %d)"):format(n), "py_unpack", nil)
end

local function not_unpackable(v)
  exc.fail("TypeError", ("cannot unpack non-iterable %s object"):format(core.typename(v)), "py_iter", nil)
end

-- Is v surely nothing to go over?
function M.barren(v)
  local mt = getmt(v)
  if mtype(v) or type(v) == "boolean" or v == core.None or type(v) == "function" and core.sigs[v] then
    return true
  elseif mt == core.Type then
    return not (v.metaclass and v.metaclass.special.__iter__)
  end
  return mt ~= nil and mt.__own == true and not (mt.__pyclass.special.__iter__ or mt.__pyclass.special.__getitem__)
end

-- All values of v, a foreign one's shape too; most: no more of them are asked for.
local function all(v, most)
  local mt = getmt(v)
  if mt == core.List or mt == core.Tuple then
    return v
  elseif M.barren(v) then
    not_unpackable(v)
  elseif not most or core.foreign(v) then
    return M.list(v)
  end
  local step, l, n = M.stepper(v), {}, 0
  while n < most do
    local x = step()
    if x == nil then
      break
    end
    n = n + 1
    l[n] = x
  end
  l.n = n
  return l
end

-- n values of v.
function M.unpack(v, n)
  local l = all(v, n + 1)
  if l.n ~= n then
    wrong_count(n, l.n)
  end
  return table.unpack(l, 1, n)
end

-- a, *b, c = v: `before` values, a list, `after` values.
function M.unpackstar(v, before, after)
  local l = all(v)
  if l.n < before + after then
    exc.fail("ValueError", ("not enough values to unpack (expected at least %d, got %d)"):format(before + after, l.n),
      "py_unpack", nil)
  end
  local r = table.move(l, 1, before, 1, {})
  local m = l.n - before - after
  r[before + 1] = core.list(table.move(l, before + 1, before + m, 1, {}), m)
  table.move(l, before + m + 1, l.n, before + 2, r)
  return table.unpack(r, 1, before + 1 + after)
end

-- Generators --------------------------------------------------------------------------------------

-- A function that makes generators of f: f runs as a coroutine, yields with M.yield.
function M.generator(f)
  return function(...)
    local g = setmetatable({co = coroutine.create(f), args = table.pack(...)}, core.Generator)
    exc.generators[g.co] = g
    return g
  end
end

-- Yielded for `yield v`; what send() or throw() brings.
local Thrown = {}

function M.yield(v)
  local sent = yield(v)
  if getmt(sent) == Thrown then
    exc.throw(sent[1])
  elseif sent == nil then
    return core.None
  end
  return sent
end

-- StopIteration that leaves a generator's body is no end of it.
local function no_stop(err)
  local e = exc.of(err)
  if e and core.subclass(getmt(e).__pyclass, exc.classes.StopIteration) then
    local wrapped = exc.make(exc.classes.RuntimeError, "generator raised StopIteration")
    wrapped.__cause__ = e
    exc.throw(wrapped)
  end
  error(err, 0)
end

-- An error leaves a coroutine's stack as it is: what its loops have to end, ends now.  The error that counts.
local function unwound(g, err)
  local ok, later = coroutine.close(g.co)
  return not ok and later or err
end

local function finish(g, ok, ...)
  if not ok then
    no_stop(unwound(g, (...)))
  elseif status(g.co) == "dead" then
    local v = ...
    if v == nil then
      v = core.None
    end
    return nil, v
  end
  return (...)
end

-- The next value of a generator; nil and its result at the end.
function M.step(g, sent)
  local args = g.args
  if args then
    g.args = nil
    return finish(g, resume(g.co, table.unpack(args, 1, args.n)))
  elseif status(g.co) == "dead" then
    return nil
  elseif status(g.co) ~= "suspended" then
    exc.fail("ValueError", "generator already executing")
  end
  return finish(g, resume(g.co, sent))
end

-- Ends with the loop that alone has it, as where CPython's last reference goes: see M.own.
local Owned = {__close = function(o)
  M.close(o.g)
end}

function kinds.generator(g)
  local function step()
    return (M.step(g))
  end
  if g.own then
    g.own = nil
    return step, nil, nil, setmetatable({g = g}, Owned)
  end
  return step
end

-- v, which a `for` goes over, of a call of f (nil: a generator expression): when f makes generators, no one else has it.
function M.own(v, f)
  if getmt(v) == core.Generator and v.args and (f == nil or core.sigs[f] and core.sigs[f].gen) then
    v.own = true
  end
  return v
end

-- `yield from` what is no generator: a user's iterator may have a result, and take what is sent.
local function yield_all(v)
  local it = M.object(v)
  local f = core.user_special(it, "__next__")
  local step = not f and M.stepper(it)
  while true do
    local x, e
    if f then
      x, e = until_stop(call, f, it)
    else
      x = step()
    end
    if x == nil then
      local result = e and e.args[1]
      return result == nil and core.None or result
    end
    while x ~= nil do
      local sent = M.yield(x)
      x = nil
      if sent ~= core.None then
        x = func.method(it, "send", sent)
      end
    end
  end
end

-- `yield from v`: yields all, gives a generator's result.
function M.yieldfrom(v)
  if getmt(v) ~= core.Generator then
    return yield_all(v)
  end
  local x, result = M.step(v)
  while x ~= nil do
    local sent = yield(x)
    if getmt(sent) ~= Thrown then
      x, result = M.step(v, sent)
    elseif core.typename(sent[1]) == "GeneratorExit" then
      M.close(v)
      exc.throw(sent[1])
    else
      x, result = M.throw_step(v, sent[1])
    end
  end
  if result == nil then
    return core.None
  end
  return result
end

function M.send(g, v)
  if g.args and v ~= core.None then
    exc.fail("TypeError", "can't send non-None value to a just-started generator")
  end
  local x, result = M.step(g, v)
  if x == nil then
    stop(result)
  end
  return x
end

-- Raises e where the generator waits; gives what M.step gives.
function M.throw_step(g, e)
  if getmt(e) == core.Type then
    e = e.construct()
  end
  if g.args or status(g.co) == "dead" then
    g.args = nil
    g.co = coroutine.create(function() end)
    resume(g.co)
    exc.throw(e)
  end
  return finish(g, resume(g.co, setmetatable({e}, Thrown)))
end

function M.throw(g, e)
  local x, result = M.throw_step(g, e)
  if x == nil then
    stop(result)
  end
  return x
end

-- Ends the generators that wait within a `try` or `with`, where the program ends: note(co) is told of each.
function M.close_left(note)
  local left = {}
  for co, at in pairs(exc.left) do
    local g = exc.generators[co]
    if g and status(co) == "suspended" then
      left[#left + 1] = {g = g, at = at.first}
    end
  end
  table.sort(left, function(a, b) return a.at < b.at end)
  for _, l in ipairs(left) do
    note(l.g.co)
    M.close(l.g)
  end
end

function M.close(g)
  if g.args then
    g.args = nil
    g.co = coroutine.create(function() end)
    resume(g.co)
    return core.None
  elseif status(g.co) == "dead" then
    return core.None
  end
  local ok, err = resume(g.co, setmetatable({exc.make(exc.classes.GeneratorExit)}, Thrown))
  err = ok and err or unwound(g, err)
  if ok and status(g.co) ~= "dead" then
    exc.fail("RuntimeError", "generator ignored GeneratorExit")
  elseif not ok and not (exc.is(err) and (core.typename(err) == "GeneratorExit" or core.typename(err) == "StopIteration")) then
    error(err, 0)
  end
  return core.None
end

return M
