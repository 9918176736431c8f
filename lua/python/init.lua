-- python/init.lua: the run-time of Python: what the printed text of a Python file calls as `__py.NAME`.
--
-- Where it says more than the plan of the room, or something else:
--   P.with(ctx, function(x) end)       the with statement; codes as of P.try
--   P.yield(v), P.yieldfrom(v)         in the function given to P.generator
--   P.annotate(ns, "x", function() end)   `x: type` in the body of a class, before ns.x is set
--   P.import_as("a.b")                 the module a.b; P.import gives a
--   P.unbound(name, whose, names)      "own": UnboundLocalError; "free"; nil: names, for the name that was meant
--   P.assertion(f)                     f a plain function: gives the message, called only here
--   P.builtins                         name -> value of Python's built-in names
--   P.wrap("name", t), P.is_module(t)  a table of Lua's as a module: its functions are no methods
--   P.to_lua(v), P.from_lua(v)         a value on the other side of a foreign call
--   P.report(e)                        an error that was caught: as a diagnostic
--   P.main(f, ..)                      runs f(..), a program, which SystemExit ends
--   P.status(e)                        its exit status, or nil
--   P.args of a function with *args or keyword-only names gives: the names of sig in order, then args
--   if sig.vararg, then the dict if sig.kwarg.  sig.staged: a kernel; goes to moontile as it is.
--   A foreign function that gives an iterator of Lua's with its state (a frame of T's) hands all of it on,
--   so that `for i, j in P.method(T, "Parallel", 64, 64)` runs it.
--   A set keeps the order in which it was made.  A shape is a tuple.
--   `return P.call(..)` is a tail call of Lua's: endless recursion would not end.  Printed in parentheses
--   it is none, and RecursionError comes.  Calls within `try` nest about 100 deep (Lua's limit of C calls).
--   A generator expression calls P.call(iter, v) on its first iterable where it stands, as CPython does.
-- The message handler asks an exception's metatable for __diag (lua/state/error_handler.c), so that an
-- uncaught one is a diagnostic wherever it ends.

local attr = require "moontile.python.attr"
local core = require "moontile.python.core"
local dict = require "moontile.python.dict"
local equal = require "moontile.python.equal"
local exc = require "moontile.python.exc"
local foreign = require "moontile.python.foreign"
require "moontile.python.strings"
local builtins = require "moontile.python.builtins"
local class = require "moontile.python.class"
local diag = require "moontile.diag"
local control = require "moontile.python.control"
local format = require "moontile.python.format"
local func = require "moontile.python.func"
local imports = require "moontile.python.imports"
local index = require "moontile.python.index"
local iter = require "moontile.python.iter"
local native = require "moontile.python.native"
local ops = require "moontile.python.ops"
local set = require "moontile.python.set"
local text = require "moontile.python.text"
require "moontile.python.files"

local late = core.late
local getmt = debug.getmetatable

local P = {
  None = core.None, NotImplemented = core.NotImplemented, Ellipsis = core.Ellipsis,
  builtins = builtins.names, types = core.types, exceptions = exc.classes,
  format = format.field, repr = text.repr, str = text.str,
  import = imports.import, import_as = imports.import_as, import_from = imports.import_from, star = imports.star,
  imports = imports, native = native.make, wrap = foreign.wrap, is_module = foreign.is_module,
  to_lua = foreign.to_lua, from_lua = foreign.from_lua,
  class = class.class, annotate = class.annotate, super = class.super,
  list = function(t) return core.list(t) end, tuple = function(t) return core.tuple(t) end,
}

for _, part in ipairs {
  {ops, "add", "sub", "mul", "div", "floordiv", "mod", "pow", "matmul", "lshift", "rshift", "bor", "bxor", "band",
    "iadd", "isub", "imul", "idiv", "ifloordiv", "imod", "ipow", "imatmul", "ilshift", "irshift", "ibor", "ibxor",
    "iband", "neg", "pos", "invert", "truth", "no", "land", "lor", "choose"},
  {equal, "eq", "ne", "lt", "le", "gt", "ge"},
  {index, "index", "setindex", "delindex", "slice", "contains", "notcontains", "is", "isnot", "len"},
  {attr, "attr", "setattr", "delattr"},
  {func, "func", "args", "call", "callk", "calls", "method", "methodk", "methods"},
  {iter, "iter", "next", "unpack", "unpackstar", "generator", "own", "yield", "yieldfrom"},
  {control, "raise", "assertion", "unbound", "try", "with"},
} do
  for i = 2, #part do
    P[part[i]] = assert(part[1][part[i]], part[i])
  end
end

-- A set of the table's values.
function P.set(t)
  local s = set.new()
  for i = 1, #t do
    set.add(s, t[i])
  end
  return s
end

-- Constants, whose frozenset CPython's compiler makes anew of its values.
function P.constants(t)
  return set.of(iter.list(P.set(t)))
end

-- A set that is filled from that.
function P.constset(t)
  return set.of(P.constants(t))
end

-- A dict of key, value, key, value ..
function P.dict(t)
  local d = dict.new()
  for i = 1, #t, 2 do
    dict.put(d, t[i], t[i + 1])
  end
  return d
end

-- [*a, b]: kind "list", "tuple" or "set" of all that the parts have.
function P.join(kind, ...)
  if kind == "set" then
    local s = set.new()
    for i = 1, select("#", ...) do
      set.update(s, (select(i, ...)))
    end
    return s
  end
  local l, n = {}, 0
  for i = 1, select("#", ...) do
    local part = select(i, ...)
    for v in iter.iter(part) do
      n = n + 1
      l[n] = v
    end
  end
  return (kind == "tuple" and core.tuple or core.list)(l, n)
end

local function mapping(v)
  return core.foreign(v) or core.kind(v) == "dict" or core.user_special(v, "keys") ~= nil
end

-- {**a, ..}: a new dict with what the mappings have.
function P.merge(...)
  local d = dict.new()
  for i = 1, select("#", ...) do
    local part = select(i, ...)
    if not mapping(part) then
      exc.fail("TypeError", ("'%s' object is not a mapping"):format(core.typename(part)))
    end
    for k, v in late.items(part) do
      dict.put(d, k, v)
    end
  end
  return d
end

-- f(**a, ..): the keywords of a call.  What is wrong with them is said by func.calls, which knows f: field `wrong`.
function P.keywords(...)
  local d = dict.new()
  for i = 1, select("#", ...) do
    local part = select(i, ...)
    if not mapping(part) then
      d.wrong = d.wrong or ("argument after ** must be a mapping, not %s"):format(core.typename(part))
      break
    end
    for k, v in late.items(part) do
      if dict.has(d, k) then
        d.wrong = d.wrong or ("got multiple values for keyword argument '%s'"):format(text.str(k))
      end
      dict.put(d, k, v)
    end
  end
  return d
end

-- Adds to a list, for comprehensions.
function P.append(l, v)
  local n = l.n + 1
  l.n = n
  l[n] = v
end

late.generic = function(cls, k)
  return require("moontile.python.generic").of(cls, k)
end
late.union = function(a, b)
  return require("moontile.python.generic").union(a, b)
end
late.list = iter.list
late.names = attr.names
late.attr_or_nil = attr.get

-- An error that was caught, as one of moontile's diagnostics (or a text, if it is none of ours).
function P.report(err)
  local e = exc.of(err)
  return e and exc.diag(e) or err
end

-- The exception of an error that was caught; nil: it is none of Python's.
P.exception = exc.of

P.handler = exc.handler

-- The exit status of an exception that is SystemExit, and what it says or nil; nil: it is none.
local function status_of(e)
  if not (exc.is(e) and core.subclass(getmt(e).__pyclass, exc.classes.SystemExit)) then
    return nil
  end
  local code = e.args[1]
  if code == nil or code == core.None then
    return 0
  elseif math.type(code) == "integer" then
    return code & 255
  elseif type(code) == "boolean" then
    return code and 1 or 0
  end
  return 1, text.str(code)
end
P.status = status_of

-- CPython ends a generator with its last reference; here, where nobody did, with the program.
local function generator_left(co)
  local level, info = 0, debug.getinfo(co, 0, "Sl")
  while info and (info.currentline <= 0 or info.source:find "^@moontile/") do
    level = level + 1
    info = debug.getinfo(co, level, "Sl")
  end
  if info then
    io.stderr:write(tostring(diag.at("py_left", info.source, info.currentline, 0, 1)), "\n")
  end
end

-- Runs f(..), a program.  SystemExit ends it, and the process too where its status is not 0; other errors go on.
function P.main(f, ...)
  local ok, err = xpcall(f, exc.handler, ...)
  if next(exc.left) then
    iter.close_left(generator_left)
  end
  if ok then
    return
  end
  local status, message = status_of(err)
  if not status then
    error(exc.of(err) or err, 0)
  end
  io.flush()
  if message then
    io.stderr:write(message, "\n")
  end
  if status ~= 0 then
    os.exit(status, true)
  end
end

imports.P = P

return P
