-- python/native.lua: functions of the run-time's own, with Python's arguments.
--
--   make("list.insert", "self, index, object", fn)   fn(self, index, object)
--   make("sorted", "iterable, /, *, key, reverse", fn)   behind `*` by name only: fn(iterable, key, reverse)
--   make("print", "*, sep, end, file", fn)           a spec that begins with `*,`: any number of
--                                                    positional ones: fn(kw, ...); kw: a dict or nil
--   make("dict", "**", fn)                           the same with any names
--
-- A name with `?` may be left out; nil is what stands for it.  What is called often has no check:
-- make(.., fn, true) registers fn itself.

local core = require "moontile.python.core"
local exc = require "moontile.python.exc"

local M = {}

local sigs, select = core.sigs, select

-- What a spec says, into sig: when somebody asks, since most are never called by name.
local function parse(sig)
  local spec, qual = sig.spec, sig.qual
  sig.name, sig.required, sig.npos = sig.name or qual:match "[%w_]+$", 0, false
  sig.variadic, sig.any = spec:find "^%*" ~= nil, spec:find "^%*%*" ~= nil
  for word in spec:gmatch "[^,%s]+" do
    if word == "*" then
      sig.npos = sig.npos or #sig
    elseif word ~= "/" and word ~= "**" then
      local name, mark = word:match "^([%w_]+)(%??)$"
      sig[#sig + 1] = name
      if mark == "" and not sig.npos then
        sig.required = #sig
      end
    end
  end
  sig.npos = sig.npos or #sig
end

local asked = {name = true, required = true, npos = true, variadic = true, any = true}

local Lazy = {}
function Lazy.__index(sig, key)
  if asked[key] or math.type(key) then
    setmetatable(sig, nil)
    parse(sig)
    return sig[key]
  end
end

local counted = {} -- spec -> what most_of gives

-- How many positional arguments a spec has at most.
local function most_of(spec)
  local n = counted[spec]
  if n then
    return n
  end
  local star = spec:find("*", 1, true)
  local head = star and spec:sub(1, star - 1) or spec
  local _, commas = head:gsub(",", "")
  n = head == "" and 0 or star and commas or commas + 1
  counted[spec] = n
  return n
end

-- Raises: n arguments are too few or too many.
local function arity(sig, n)
  local own = sig[1] == "self" and 1 or 0
  local least, most = sig.required - own, sig.npos - own
  n = n - own
  if least == most then
    exc.fail("TypeError", most == 0 and ("%s() takes no arguments (%d given)"):format(sig.qual, n)
      or most == 1 and ("%s() takes exactly one argument (%d given)"):format(sig.qual, n)
      or ("%s expected %d arguments, got %d"):format(sig.name, most, n), "py_args", nil, M.signature(sig))
  end
  local bound = n < least and least or most
  exc.fail("TypeError", ("%s expected at %s %d argument%s, got %d"):format(sig.name, n < least and "least" or "most",
    bound, bound == 1 and "" or "s", n), "py_args", nil, M.signature(sig))
end

-- "sorted(iterable, *, key, reverse)", for messages
function M.signature(sig)
  local parts = {}
  for i, name in ipairs(sig) do
    if i == sig.npos + 1 then
      parts[#parts + 1] = "*"
    end
    if name ~= "self" then
      parts[#parts + 1] = i > sig.required and i <= sig.npos and name .. "=.." or name
    end
  end
  return ("%s(%s)"):format(sig.name, table.concat(parts, ", "))
end

-- The number of arguments up to the last that was given.
local function given(...)
  for i = select("#", ...), 1, -1 do
    if (select(i, ...)) ~= nil then
      return i
    end
  end
  return 0
end

-- Functions that check how many arguments come, by how many the function takes.
local checked = {
  [0] = function(fn, sig)
    return function(...)
      if ... ~= nil then
        arity(sig, given(...))
      end
      return fn()
    end
  end,
  function(fn, sig)
    return function(a, ...)
      if (a == nil or ... ~= nil) and (... ~= nil or sig.required > 0) then
        arity(sig, given(a, ...))
      end
      return fn(a)
    end
  end,
  function(fn, sig)
    return function(a, b, ...)
      if (b == nil or ... ~= nil) and (... ~= nil or (a == nil and 0 or 1) < sig.required) then
        arity(sig, given(a, b, ...))
      end
      return fn(a, b)
    end
  end,
}

local function general(fn, sig, most)
  return function(...)
    local n = select("#", ...)
    if n ~= most then
      n = given(...)
      if n < sig.required or n > most then
        arity(sig, n)
      end
    end
    return fn(...)
  end
end

-- Makes and registers it; raw: without a check.
function M.make(qual, spec, fn, raw)
  local sig = setmetatable({native = true, qual = qual, spec = spec, fn = fn}, Lazy)
  local f
  if spec:byte() == 42 then -- *
    f = function(...)
      return fn(nil, ...)
    end
  elseif raw then
    f = fn
  else
    local most = most_of(spec)
    f = (checked[most] or general)(fn, sig, most)
  end
  sigs[f] = sig
  return f
end

-- Names of a table as methods of class cls: t["append(self, object)"] = fn
function M.methods(cls, t)
  for head, fn in pairs(t) do
    local name, spec = head:match "^([%w_]+)%((.*)%)$"
    if not cls.dict[name] then
      cls.order[#cls.order + 1] = name
    end
    cls.dict[name] = M.make(cls.name .. "." .. name, spec, fn)
    sigs[cls.dict[name]].owner = cls
  end
end

-- The same for functions of a module: puts them into `into`.
function M.functions(into, t)
  for head, fn in pairs(t) do
    local name, spec = head:match "^([%w_]+)%((.*)%)$"
    into[name] = M.make(name, spec, fn)
  end
  return into
end

-- Calls f with keywords: names, and behind the positional arguments their values.
function M.call(f, sig, names, ...)
  local nkw = #names
  local npos = select("#", ...) - nkw
  local values = {...}
  if sig.variadic then
    local kw = M.new_dict()
    for i, name in ipairs(names) do
      if not (sig.any or M.has(sig, name)) then
        M.unexpected(sig, name)
      end
      M.put(kw, name, values[npos + i])
    end
    return sig.fn(kw, table.unpack(values, 1, npos))
  end
  if npos > sig.npos then
    arity(sig, npos)
  end
  local args = table.move(values, 1, npos, 1, {})
  for i, name in ipairs(names) do
    local at = M.has(sig, name)
    if not at then
      M.unexpected(sig, name)
    elseif args[at] ~= nil then
      exc.fail("TypeError", ("argument for %s() given by name ('%s') and position (%d)"):format(sig.name, name, at))
    end
    args[at] = values[npos + i]
  end
  for i = 1, sig.required do
    if args[i] == nil then
      exc.fail("TypeError", ("%s() missing required argument '%s' (pos %d)"):format(sig.name, sig[i], i), "py_args",
        nil, M.signature(sig))
    end
  end
  return sig.fn(table.unpack(args, 1, #sig))
end

-- The position of a name, or nil.
function M.has(sig, name)
  for i, n in ipairs(sig) do
    if n == name then
      return i
    end
  end
end

function M.unexpected(sig, name)
  exc.fail("TypeError", ("'%s' is an invalid keyword argument for %s()"):format(name, sig.name), "py_args", name,
    M.signature(sig))
end

local dict = require "moontile.python.dict"
M.new_dict, M.put = dict.new, dict.put

return M
