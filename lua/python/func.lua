-- python/func.lua: Python's functions: signatures, arguments, calls.
--
-- A function is a Lua function; core.sigs knows its signature (see P.func below).  All-positional
-- calls go straight to it; its own first line calls P.args where something is missing or too much.
-- Keywords are bound here, against the signature, and handed over in order; functions with *args,
-- keyword-only names or **kw get them as one value of metatable Bound behind the positional ones.

local core = require "moontile.python.core"
local dict = require "moontile.python.dict"
local exc = require "moontile.python.exc"
local native = require "moontile.python.native"

local M = {}

local sigs, late = core.sigs, core.late
local getinfo, getmt, select, type, unpack = debug.getinfo, debug.getmetatable, select, type, table.unpack

local Bound = {__name = "bound arguments"}

-- Defining ------------------------------------------------------------------------------------

-- Registers the function that make(sig) gives.  sig = {name =, doc =, "a", "b", "k", posonly = n, npos =
-- number of positional names, default = {[2] = value}, vararg = "args", kwarg = "kw", annotation =
-- {[i] = function() return .. end}, returns = function() .. end}
function M.func(sig, make)
  sig.npos = sig.npos or #sig
  sig.default = sig.default or {}
  sig.simple = not (sig.vararg or sig.kwarg or sig.npos < #sig)
  local f = make(sig)
  sigs[f] = sig
  return f
end

local function name_of(sig)
  return sig.qual or sig.name or "<lambda>"
end

local function default_of(sig, i)
  local d = sig.default[i]
  if d == nil then
    d = sig.default[sig[i]]
  end
  return d
end

-- "def f(a, b=1, *args, k=2, **kw)" for messages and help
function M.signature(sig)
  if sig.native then
    return native.signature(sig)
  end
  local parts = {}
  for i, name in ipairs(sig) do
    if i == sig.npos + 1 then
      parts[#parts + 1] = sig.vararg and "*" .. sig.vararg or "*"
    end
    local d = default_of(sig, i)
    parts[#parts + 1] = d ~= nil and name .. "=" .. late.repr(d) or name
    if i == sig.posonly then
      parts[#parts + 1] = "/"
    end
  end
  if sig.vararg and sig.npos == #sig then
    parts[#parts + 1] = "*" .. sig.vararg
  end
  parts[#parts + 1] = sig.kwarg and "**" .. sig.kwarg
  return ("%s(%s)"):format(name_of(sig), table.concat(parts, ", "))
end

-- Messages ----------------------------------------------------------------------------------

-- inside: the function itself has found it
local function wrong(sig, text, word, inside)
  local fail = inside and exc.fail_call or exc.fail
  fail("TypeError", name_of(sig) .. "() " .. text, "py_args", word or sig.name, M.signature(sig))
end

-- 'a', 'b', and 'c'
local function listed(names)
  local n = #names
  for i, name in ipairs(names) do
    names[i] = "'" .. name .. "'"
  end
  if n < 3 then
    return table.concat(names, " and ")
  end
  return table.concat(names, ", ", 1, n - 1) .. ", and " .. names[n]
end

local function missing(sig, values, from, to, what, inside)
  local names = {}
  for i = from, to do
    if values[i] == nil then
      names[#names + 1] = sig[i]
    end
  end
  if #names > 0 then
    local n = #names
    wrong(sig, ("missing %d required %s argument%s: %s"):format(n, what, n > 1 and "s" or "", listed(names)), nil, inside)
  end
end

-- named: keyword-only arguments that came with them
local function too_many(sig, given, inside, named)
  local least = sig.npos
  while least > 0 and default_of(sig, least) ~= nil do
    least = least - 1
  end
  local takes = least < sig.npos and ("from %d to %d"):format(least, sig.npos) or tostring(sig.npos)
  local too = named and named > 0 and (" positional argument%s (and %d keyword-only argument%s)"):format(
    given == 1 and "" or "s", named, named == 1 and "" or "s") or ""
  wrong(sig, ("takes %s positional argument%s but %d%s %s given"):format(takes,
    sig.npos == 1 and least == 1 and "" or "s", given, too, given == 1 and too == "" and "was" or "were"), nil, inside)
end

-- Binding -------------------------------------------------------------------------------------

-- Fills in defaults; raises where values are missing.
local function finish(sig, values, inside)
  for i = 1, #sig do
    if values[i] == nil then
      values[i] = default_of(sig, i)
    end
  end
  if sig.stage == "kernel" then
    return -- tl.jit knows what comes later, and says what is missing
  end
  for i = 1, #sig do
    if values[i] == nil then
      missing(sig, values, 1, sig.npos, "positional", inside)
      missing(sig, values, sig.npos + 1, #sig, "keyword-only", inside)
    end
  end
end

-- All that a function with *args or the like begins with: names, then args, then kw, as there are.
local function all_values(sig, values, args, kw)
  local n = #sig
  if sig.vararg then
    n = n + 1
    values[n] = args or core.tuple({}, 0)
  end
  if sig.kwarg then
    n = n + 1
    values[n] = kw or dict.new()
  end
  return n
end

local function last_given(...)
  local n = select("#", ...)
  while n > 0 and (select(n, ...)) == nil do
    n = n - 1
  end
  return n
end

-- What a function's first line calls: its names' values, then args (if it has *args), then kw.
function M.args(sig, ...)
  local bound = select(sig.npos + 1, ...)
  if getmt(bound) == Bound then
    return unpack(bound, 1, bound.n)
  end
  local given = last_given(...)
  local values, extra = {...}, nil
  if given > sig.npos then
    if not sig.vararg then
      too_many(sig, given, true)
    end
    extra = core.tuple(table.move(values, sig.npos + 1, given, 1, {}), given - sig.npos)
    for i = sig.npos + 1, given do
      values[i] = nil
    end
  end
  finish(sig, values, true)
  if sig.simple then
    return unpack(values, 1, sig.npos)
  end
  return unpack(values, 1, all_values(sig, values, extra, nil))
end

local function index_of(sig)
  local index = sig.index
  if not index then
    index = {}
    for i, name in ipairs(sig) do
      index[name] = i > (sig.posonly or 0) and i or nil
    end
    sig.index = index
  end
  return index
end

local function unexpected(sig, name)
  for i = 1, sig.posonly or 0 do
    if sig[i] == name then
      wrong(sig, ("got some positional-only arguments passed as keyword arguments: '%s'"):format(name), name)
    end
  end
  wrong(sig, ("got an unexpected keyword argument '%s'"):format(name), name)
end

-- The values for a call with keywords -> values, args, kw
local function bind(sig, names, npos, all)
  local values, extra, kw = table.move(all, 1, math.min(npos, sig.npos), 1, {}), nil, nil
  local index = index_of(sig)
  if npos > sig.npos then
    if not sig.vararg then
      local named = 0
      for _, name in ipairs(names) do
        named = named + ((index[name] or 0) > sig.npos and 1 or 0)
      end
      too_many(sig, npos, false, named)
    end
    extra = core.tuple(table.move(all, sig.npos + 1, npos, 1, {}), npos - sig.npos)
  end
  for j, name in ipairs(names) do
    local i = index[name]
    if i then
      if values[i] ~= nil then
        wrong(sig, ("got multiple values for argument '%s'"):format(name), name)
      end
      values[i] = all[npos + j]
    elseif sig.kwarg then
      kw = kw or dict.new()
      dict.put(kw, name, all[npos + j])
    else
      unexpected(sig, name)
    end
  end
  finish(sig, values)
  return values, extra, kw
end

local function call_bound(f, sig, names, ...)
  local npos = select("#", ...) - #names
  local values, extra, kw = bind(sig, names, npos, {...})
  if sig.simple then
    return f(unpack(values, 1, sig.npos))
  end
  values.n = all_values(sig, values, extra, kw)
  local args = table.move(values, 1, sig.npos, 1, {})
  args[sig.npos + 1] = setmetatable(values, Bound)
  return f(unpack(args, 1, sig.npos + 1))
end

-- Calling -------------------------------------------------------------------------------------

local function not_callable(f)
  exc.fail("TypeError", ("'%s' object is not callable"):format(core.typename(f)), "py_call", nil)
end

local function call_other(f, ...)
  local mt = getmt(f)
  if mt == core.Type then
    return f.construct(...)
  elseif mt and mt.__user then
    local method = mt.__pyclass.special.__call__
    if method then
      return M.call(method, f, ...)
    end
  elseif mt and mt.__py_call then
    return mt.__py_call(f, ...)
  elseif core.foreign(f) and (type(f) == "function" or mt and mt.__call) then
    return late.call_foreign(f, ...)
  elseif late.callable_text and late.callable_text(f) then
    if select("#", ...) == 0 and late.type_of_text then
      return late.type_of_text(f)
    elseif late.number_of_text and type(...) == "string" then
      return late.call_foreign(f, late.number_of_text(f, ...))
    end
    return late.call_foreign(f, ...)
  end
  not_callable(f)
end

-- Lua's own "stack overflow" comes when there is no room left to say where: a finalizer that runs then takes what the
-- handler needs.  So every 1024th call looks whether the stack is deeper than programs that end need.
local Deep, Often, calls = 50000, 1023, 0

local function look()
  if getinfo(Deep, "l") then
    exc.fail("RecursionError", "maximum recursion depth exceeded")
  end
end

-- f(...)
function M.call(f, ...)
  calls = calls + 1
  if calls & Often == 0 then
    look()
  end
  if sigs[f] then
    return f(...)
  end
  return call_other(f, ...)
end
late.call = M.call

-- f(.., name = value ..): the last values are those of the names.
function M.callk(f, names, ...)
  local sig = sigs[f]
  if sig then
    if sig.of then
      return M.callk(sig.of, names, sig.bound, ...)
    elseif sig.native then
      return native.call(f, sig, names, ...)
    end
    return call_bound(f, sig, names, ...)
  end
  local mt = getmt(f)
  if mt == core.Type then
    return late.construct_k(f, names, ...)
  elseif mt and mt.__user and mt.__pyclass.special.__call__ then
    return M.callk(mt.__pyclass.special.__call__, names, f, ...)
  elseif mt and mt.__py_callk then
    return mt.__py_callk(f, names, ...)
  elseif core.foreign(f) and (type(f) == "function" or mt and mt.__call) then
    return late.call_foreign_k(f, names, ...)
  end
  not_callable(f)
end
late.callk = M.callk

-- Names and values of **kw behind the values of args.
local function spread(args, kw)
  local names, values = {}, table.move(args, 1, args.n, 1, {})
  for k, v in late.items(kw) do
    if type(k) ~= "string" then
      exc.fail("TypeError", "keywords must be strings")
    end
    names[#names + 1] = k
    values[args.n + #names] = v
  end
  return names, values
end

-- "__main__.f()", as messages about `*` and `**` name what is called; as: its name where it has none.
local function called(f, as)
  local sig = sigs[f]
  local name, module
  if sig then
    name, module = sig.qual or sig.name, sig.module or not sig.native and "__main__" or nil
  elseif getmt(f) == core.Type then
    name, module = f.qualname or f.name, f.module
  end
  if not name then
    return as and as .. "()" or late.str(f)
  end
  return (module and module ~= "builtins" and module .. "." or "") .. name .. "()"
end

-- f(*args, **kw): a List and a Dict or nil; as: f's name in messages where it has none
function M.calls(f, args, kw, as)
  if kw and kw.wrong then
    local name = called(f, as)
    exc.fail("TypeError", name .. " " .. kw.wrong, "py_args", nil, sigs[f] and M.signature(sigs[f]) or name)
  end
  if not kw or kw.n == 0 then
    return M.call(f, unpack(args, 1, args.n))
  end
  local names, values = spread(args, kw)
  return M.callk(f, names, unpack(values, 1, args.n + #names))
end

-- Methods ---------------------------------------------------------------------------------------

local text_methods = core.types.str.lookup

-- o.name(...)
function M.method(o, name, ...)
  calls = calls + 1
  if calls & Often == 0 then
    look()
  end
  local mt = getmt(o)
  local cls = mt and mt.__pyclass
  if cls then
    if not mt.__user or mt.__own and o[name] == nil then
      local f = cls.lookup[name]
      if sigs[f] then
        return f(o, ...)
      end
    end
    local f = mt == core.Module and o[name]
    if type(f) == "function" then
      if sigs[f] then
        return f(...)
      end
      return late.call_foreign(f, ...)
    end
  elseif type(o) == "string" then
    local f = text_methods[name]
    if sigs[f] then
      return f(o, ...)
    end
  end
  local f, self = late.method(o, name)
  if self ~= nil then
    return M.call(f, self, ...)
  end
  return M.call(f, ...)
end

function M.methodk(o, name, names, ...)
  local f, self = late.method(o, name)
  if self ~= nil then
    return M.callk(f, names, self, ...)
  end
  return M.callk(f, names, ...)
end

function M.methods(o, name, args, kw)
  return M.calls(late.attr(o, name), args, kw, name)
end

-- A function that calls f with o in front; what attr gives for a method.
function M.bound(f, o)
  local s = sigs[f] or {}
  local b = function(...)
    return M.call(f, o, ...)
  end
  sigs[b] = {bound = o, of = f, name = s.name, qual = s.qual}
  return b
end

return M
