-- python/printed.lua: small things that the printed text calls, beside what Python's own names need.

local core = require "moontile.python.core"
local dict = require "moontile.python.dict"
local dry = require "moontile.tl.dry"
local exc = require "moontile.python.exc"
local func = require "moontile.python.func"
local iter = require "moontile.python.iter"
local set = require "moontile.python.set"

local M = {}

-- P: moontile.python, which takes these functions in.
function M.install(P)

-- The pieces of an f-string.
P.strings = table.concat

-- a op b op c ..: {a, "add", b, "mul", c}, from the left
function P.chain(t)
  local v = t[1]
  for i = 2, #t, 2 do
    v = P[t[i]](v, t[i + 1])
  end
  return v
end

function P.star(v)
  if iter.barren(v) then
    exc.fail("TypeError", ("Value after * must be an iterable, not %s"):format(core.typename(v)), "py_iter", nil)
  end
  return v
end

function P.bytes(s)
  return setmetatable({s = s, n = #s}, core.Bytes)
end

-- A name that `del` is about to take the value of.
function P.present() end

-- A statement that is an expression.
function P.drop() end

P["assert"] = function(c, message)
  if core.late.unseen and core.late.unseen(c) then
    return dry.tell()
  elseif not P.truth(c) then
    P.assertion(message)
  end
end

-- for a, b in v: the items of v, each n values.
function P.iterate(v, n)
  local f, s, at, closing = P.iter(v)
  return function()
    at = f(s, at)
    if at ~= nil then
      return P.unpack(at, n)
    end
  end, nil, nil, closing
end

-- Comprehensions: f(first, add) calls add for each item; first: what the outermost `for` goes over.
local collectors = {
  list = function(first, f)
    local l, n = {}, 0
    f(first, function(v)
      n = n + 1
      l[n] = v
    end)
    return core.list(l, n)
  end,
  set = function(first, f)
    local s = set.new()
    f(first, function(v) set.add(s, v) end)
    return s
  end,
  dict = function(first, f)
    local d = dict.new()
    f(first, function(k, v) dict.put(d, k, v) end)
    return d
  end,
  generator = function(first, f)
    local own = debug.getmetatable(first) == core.Generator and first.own
    P.iter(first) -- what cannot be gone over is said here, not at the first item
    if own then
      first.own = own
    end
    return P.generator(function()
      f(first, P.yield)
      return P.None
    end)()
  end,
}

function P.collect(kind, first, f)
  return collectors[kind](first, f)
end

-- from module import *
function P.star_import(env, module, level)
  local m = level > 0 and P.imports.import(level, module) or module
  for k, v in pairs(P.import_star(m)) do
    env[k] = v
  end
end

-- A name that is read in a class's body, which may be the class's own.
function P.inclass(ns, name, outside)
  local v = ns[name]
  if v ~= nil then
    return v
  end
  return outside()
end

-- f with a decorator in front of it.
function P.decorated(by, f)
  return func.call(by, f)
end

end

return M
