-- stage/init.lua: what staged code calls while it runs.
--
-- The dialect reader (lua/reader/dialect.c) rewrites functions given to T.prim_func,
-- tl.jit and T.macro so that Lua's own control flow also works on symbolic
-- values.  What it writes calls this table, the global `__stage`.  On ordinary
-- values every function here does exactly what Lua does; on symbolic ones it
-- asks the backend, which T (lua/T) sets once when it is loaded.  Comparisons
-- and logic are in stage/logic.lua, the numeric `for` in stage/range.lua.
--
--     local stage = require "moontile.stage"
--     stage.backend = { is_symbolic = ..., ... }
--
-- THE BACKEND.  All fields are plain functions.  "Expression" is a symbolic
-- value that the backend made; "value" is an expression, a number or a boolean.
--
--   is_symbolic(v)    v (a table or userdata; never called for other types) is
--                     an expression or a T.alloc_var.  Not for whole buffers.
--   is_bool(v)        of an expression: its type is bool
--   is_var(v)         v (table or userdata) is a T.alloc_var
--   load_var(v)       its present value as an expression
--   store_var(v, e)   v = e; e is a value, already loaded
--   let(name, e)      gives expression e one value under a name, for
--                     `local name = e`; returns what stands for it from now on.
--                     May return e itself if e reads no memory.
--   name(v, name)     [optional] `local name = v` for any other table or
--                     userdata (buffers, a fresh T.alloc_var): the first name
--                     that a thing meets is its name.  Later calls for
--                     the same v may come; ignore them.
--   spread(list, n)   [optional] what n > 1 names get that are given one table: its items, if it
--                     is a list that T made; else the table
--   cmp(op, a, b)     op "lt", "le", "eq", "ne"; a > b comes as lt(b, a).
--                     At least one is an expression; may fold to true or false.
--   land(a, b), lor(a, b), no(a)   logic on bool expressions
--   select(c, a, b)   c a bool expression, a and b numbers or expressions
--   if_open(c), if_else(), if_close()   c a bool expression.  A chain
--                     if/elseif/else is nested: if_open(c1) .. if_else()
--                     if_open(c2) .. if_else() .. if_close() if_close()
--   while_open(c, m)  closed by close(); statements since m are of each turn
--   sliced(v)         [optional] the buffer of v, if v is a slice and so no value
--   mark()            [optional] a mark in front of an expression, or nil: statements that the
--                     expression leaves belong to it.  Given back, the last first, by drop(m),
--                     by while_open, or by
--   guarded(values, m, c)   values, a list with n, become what they are if the statements
--                     since m are done only if c() holds
--                     and not what a tile's threads do together; c is called in front of them
--   kept(m, yes)      the statements since m are done always, or never
--   left(m) -> boolean   drop(m); has the expression left any?
--   chooses(f)        [optional] the name of f if it evaluates only what it chooses
--   chosen(f, ...)    calls such an f with values of which this has been seen to
--   for_open(lo, hi, step, name) -> var   serial, half-open: hi is already one
--                     step beyond Lua's last value; step a number, not 0
--   close()           closes the innermost open frame of any kind
--   brk(), cont()     IR break and continue of the innermost traced loop
--   loop_frame(names, ...)   ... is what the explist of a generic `for` gave
--                     (iterator, state, control, closing value), before the
--                     first iteration; names is the text of its variables,
--                     "i,j".  If it is a frame of T's (T.Parallel, T.Kernel,
--                     ...) take the names and return true, else false.
--   depth()           number of open traced loops, whiles and branches.  A
--                     launch (T.Kernel) does not count: its body is traced once.
--                     The body of T.Parallel(a, b) is one deeper, however many
--                     variables it has.  0 when nothing is being traced.
--   annotate(name, value, type) -> value   statement `name: type`
--   plain(name, value, type) -> value      the same, in a function that is not staged
--   sigend()          after the last annotation statement of the outermost
--                     staged function (not emitted when it has none)
--   skipped(chunk, from, to)   [optional] the arm of an `if` in these lines did not
--                     run, by a condition that is no expression
--   assert_(c, message)   c a bool expression; message may be nil
--   describe(v)       [optional] what v is, for messages
--   refuse(v)         [optional] raises an error if v, compared with < or <=,
--                     is a thing of the program that has no value
--   iterable(f, s)    [optional] raises an error if the values f, s of a generic
--                     `for` can only be a mistake
--   fail(id, ...)     [optional] raises message id of errs.h; by default
--                     moontile.diag.fail
--
-- Loops that T makes are generic-for frames that the backend opens and closes
-- itself (by the iterator's end and the closing value); only for_open and
-- while_open frames and branches are opened from here.
--
-- WHAT THE READER WRITES.  __st1, __st2 .. is the state of one activation of a
-- staged function (frame()); k are slots in it.
--
--   x < y              __stage.lt(x, y)         le gt ge eq ne; no(x)
--   x and y            __stage.land(x, function() return (y) end)
--   x or y             __stage.lor(x, function() return (y) end)
--                      andv, orv: right sides already evaluated (names and
--                      literals); landp, andpv: left of an `or`, so a select
--                      may be pending; landx, lorx: the closures take `...`
--   if c then A        if __stage.test(__st1, k, c) then A
--   elseif d then B    end if __stage.elif(__st1, k) and
--                          __stage.arm(__st1, k, d) then B
--   else C end         end if __stage.elif(__st1, k) then C end
--                      __stage.fi(__st1, k);
--   while c do B end   while __stage.again(__st1, k) and
--                            __stage.loopif(__st1, k, c) do B end
--                      __stage.wend(__st1, k);
--   repeat B until c   repeat B until __stage.till(c)
--   for i = a, b do    for i in __stage.range("i", a, b, 1) do
--   for i in e do      for i in __stage.loop("i", e) do
--                      rangek, loopk(__st1, k, ...) if the body has a break
--   break              if __stage.brk(__st1, k) then break end; of a `for`, then
--                      goto __brk1, a label behind the loop: at a `break` of a
--                      loop with captured locals Lua 5.4.4 forgets the closing value
--   goto continue      if __stage.cont(__st1, k) then goto continue end
--   assert(c, m)       __stage.assert(c, m), if assert is no local
--   goto other         __stage.jump(__st1, k); goto other
--   return e           __stage.ret(__st1); return e      (in nested blocks)
--   (block start)      __st1[k] = __stage.depth();       where it is asked for
--   x = e              x = __stage.set(x, e, "x", depth where x is declared)
--                      __stage.old(_ENV, "x") instead of x for a global
--   a, b = e, f        a, b = __stage.setn(2, "a,b", a, b, da, db, e, f)
--   local v = e        local v = __stage.bind("v", e)
--   local a, b = e     local a, b = __stage.bindn("a,b", e)
--   A: T.Tensor(..)    A = __stage.annotate("A", A, T.Tensor(..))
--   True               (True == nil and __stage and __stage.word("True") or True), outside of
--                      kernels, where the text sets no such global; False, None too
--   A[lo:hi]           A[{__stage.slice(lo, hi)}]
--
-- And elsewhere, where Lua alone decides, unless x can only be an ordinary value; c is the
-- column of x, and known gives x back or raises an error (lua/state/known.c):
--
--   if x then          if __stage.known(x, c) then
--                      so the conditions of elseif, while, until, and `not x`, `x and y`
--   x or y             __stage.known(x, c, true) or y
--   x == y             __stage.known(x, c) == __stage.known(y, c); ~= too; neither of them
--                      beside nil and strings
--   assert(x, ..)      assert(__stage.known(x, c), ..), if assert is no local and x one value
--
-- A loop owns two slots: [k] the depth of its body, [k + 1] whether it is
-- traced.  A branch owns two: [k] false: no arm taken yet; true: an ordinary
-- arm was taken; n: n symbolic ifs are open; -n: and an ordinary arm inside
-- their else part was taken; [k + 1] true while in the else part of the last;
-- [-k] the line where an arm begins that does not run; a while loop's mark.

local core = require "moontile.stage.core"
require "moontile.stage.logic"
require "moontile.stage.range"
local known = require "moontile.known"

local M = core.stage
local fail, isobj, symbolic = core.fail, core.isobj, core.symbolic
local value, condition = core.value, core.condition

local select, rawequal, mtype, lua_assert = select, rawequal, math.type, assert
local getinfo = debug.getinfo

M.depth = core.depth
M.known = known.known

-- State of one activation; [0] is the depth at entry.
function M.frame()
  local be = M.backend
  return {[0] = be and be.depth() or 0}
end

-- if ----------------------------------------------------------------------

-- An arm that does not run begins in the line of the caller's caller.
local function skip(fr, k)
  if M.backend and M.backend.skipped then
    fr[-k] = getinfo(3, "l").currentline
  end
end

-- There it has ended.
local function skipped(fr, k)
  local info = getinfo(3, "Sl")
  M.backend.skipped(info.source, fr[-k], info.currentline)
  fr[-k] = nil
end

function M.test(fr, k, c)
  if symbolic(c) then
    M.backend.if_open(condition(c))
    fr[k], fr[k + 1] = 1, false
    return true
  elseif not c then
    skip(fr, k)
  end
  fr[k] = c and true or false
  return c
end

-- May a further arm (elseif or else) run?
function M.elif(fr, k)
  local s = fr[k]
  if fr[-k] then
    skipped(fr, k)
  end
  if s == false then
    return true
  elseif s == true or s < 0 then
    skip(fr, k)
    return false
  end
  if not fr[k + 1] then
    M.backend.if_else()
    fr[k + 1] = true
  end
  return true
end

-- The condition of an elseif that may run.
function M.arm(fr, k, c)
  local s = fr[k]
  if s == false then
    return M.test(fr, k, c)
  elseif symbolic(c) then
    M.backend.if_open(condition(c))
    fr[k], fr[k + 1] = s + 1, false
    return true
  elseif c then
    fr[k] = -s
  else
    skip(fr, k)
  end
  return c
end

function M.fi(fr, k)
  local s = fr[k]
  if fr[-k] then
    skipped(fr, k)
  end
  if mtype(s) then
    for _ = 1, s < 0 and -s or s do
      M.backend.if_close()
    end
  end
  fr[k] = nil
end

-- Loops -------------------------------------------------------------------

-- A while loop's turn: a traced one runs once.
function M.again(fr, k)
  if fr[k + 1] then
    M.wend(fr, k)
    return false
  end
  fr[-k] = core.mark()
  return true
end

function M.loopif(fr, k, c)
  local mark = fr[-k]
  if symbolic(c) then
    M.backend.while_open(condition(c), mark)
    fr[k + 1] = true
    return true
  elseif mark then
    M.backend.drop(mark)
  end
  return c
end

function M.wend(fr, k)
  if fr[k + 1] then
    fr[k + 1] = false
    M.backend.close()
  end
end

function M.till(c)
  if symbolic(c) then
    fail("stage_repeat")
  end
  return c
end

-- Is what a generic `for` was given a frame of the backend's?
local function isframe(names, ...)
  local be = M.backend
  if not be then
    return false
  end
  local is = be.loop_frame(names, ...)
  if not is and be.iterable then
    be.iterable(...)
  end
  return is
end

function M.loop(names, ...)
  isframe(names, ...)
  return ...
end

function M.loopk(fr, k, names, ...)
  fr[k + 1] = isframe(names, ...)
  return ...
end

-- Jumps -------------------------------------------------------------------

-- Is Lua to leave the loop?  In a traced loop the break goes into the program;
-- tracing goes on unless nothing after it can run.
function M.brk(fr, k)
  local be = M.backend
  if not be then
    return true
  end
  local here = be.depth() == fr[k]
  if fr[k + 1] then
    be.brk()
  elseif not here then
    fail("stage_break")
  end
  return here
end

function M.cont(fr, k)
  local be = M.backend
  if not be or be.depth() == fr[k] then
    return true
  elseif not fr[k + 1] then
    fail("stage_continue")
  end
  be.cont()
  return false
end

function M.jump(fr, k)
  local be = M.backend
  if be and be.depth() ~= fr[k] then
    fail("stage_goto")
  end
end

function M.ret(fr)
  local be = M.backend
  if be and be.depth() ~= fr[0] then
    fail("stage_return")
  end
end

-- assert ------------------------------------------------------------------

-- A symbolic condition is tested when the kernel runs.
function M.assert(...)
  local c, message = ...
  if symbolic(c) then
    M.backend.assert_(condition(c), message)
  elseif assert ~= lua_assert then
    return assert(...) -- the program's own
  elseif select("#", ...) == 0 then
    error("bad argument #1 to 'assert' (value expected)", 2)
  elseif not c then
    error(select("#", ...) > 1 and message or "assertion failed!", 2)
  end
  return ...
end

-- Names -------------------------------------------------------------------

local named = setmetatable({}, {__mode = "k"})

-- Names a T.alloc_var that has no name yet.
local function baptise(v, name)
  if named[v] then
    return false
  end
  named[v] = true
  local be = M.backend
  if be.name then
    be.name(v, name)
  end
  return true
end

local function bind(name, v)
  local be = M.backend
  if not be or not isobj(v) then
    return v
  elseif be.is_var(v) then
    if baptise(v, name) then
      return v
    end
    return be.let(name, be.load_var(v))
  elseif be.is_symbolic(v) then
    return be.let(name, v)
  elseif be.name then
    be.name(v, name)
  end
  return v
end

function M.bind(name, v)
  if not isobj(v) then
    return v
  end
  return bind(name, v)
end

local lists = {} -- "a,b" -> {"a", "b"}

local function split(names)
  local l = lists[names]
  if not l then
    l = {}
    for s in (names .. ","):gmatch("([^,]*),") do
      l[#l + 1] = s
    end
    lists[names] = l
  end
  return l
end

-- The values for n names: a list alone is taken apart, as Python does.
local function apart(n, ...)
  local list = ...
  local be = M.backend
  if n > 1 and select("#", ...) == 1 and type(list) == "table" and be.spread then
    return be.spread(list, n)
  end
  return ...
end

function M.bindn(names, ...)
  if not M.backend then
    return ...
  end
  local l = split(names)
  local v = table.pack(apart(#l, ...))
  for i = 1, v.n < #l and v.n or #l do
    v[i] = bind(l[i], v[i])
  end
  return table.unpack(v, 1, v.n)
end

-- Stands for a global that has no value yet.
local unset = {}

-- What a global holds, without asking a metatable.
function M.old(env, name)
  local v
  if type(env) == "table" then
    v = rawget(env, name)
  end
  return v == nil and unset or v
end

local function isfresh(v)
  return isobj(v) and M.backend.is_var(v) and not named[v]
end
M.isfresh = isfresh

local function set(x, e, name, d)
  local be = M.backend
  if isobj(x) and be.is_var(x) and not isfresh(e) then
    if not rawequal(x, e) then
      be.store_var(x, value(e))
    end
    return x
  elseif d and be.depth() > d then
    fail(rawequal(x, unset) and "stage_global" or "stage_assign", name)
  end
  return bind(name, e)
end

function M.set(x, e, name, d)
  if not M.backend then
    return e
  end
  return set(x, e, name, d)
end

-- All values are taken before anything is stored.
function M.setn(n, names, ...)
  if not M.backend then
    return select(2 * n + 1, ...)
  end
  local l = split(names)
  local a = table.pack(...)
  local v = table.pack(apart(n, table.unpack(a, 2 * n + 1, a.n)))
  for i = 1, n do
    local sliced = n > 1 and l[i] == "" and M.backend.sliced and M.backend.sliced(v[i])
    if sliced then
      fail("slice_value", sliced.name)
    elseif symbolic(v[i]) and not isfresh(v[i]) then
      v[i] = M.backend.let(l[i] == "" and "t" or l[i], value(v[i]))
    end
  end
  for i = 1, n do
    if l[i] ~= "" then
      v[i] = set(a[i], v[i], l[i], a[n + i])
    end
  end
  return table.unpack(v, 1, n)
end

function M.annotate(name, v, t)
  local be = M.backend
  if be then
    return be.annotate(name, v, t)
  end
  return v
end

function M.plain(name, v)
  local be = M.backend
  if be then
    return be.plain(name, v)
  end
  return v
end

-- A word of Python stands where no variable of that name has a value.
function M.word(name)
  local info = debug.getinfo(2, "Sl")
  require("moontile.stage.strict").word(name, info.source, info.currentline)
end

function M.sigend()
  local be = M.backend
  if be then
    be.sigend()
  end
end

-- Slices ------------------------------------------------------------------

-- lo:hi between brackets; lo and hi are nil where they were left out.  T.slice
-- and T's indexing know a slice by this metatable.
M.Slice = {__name = "slice"}

function M.Slice.__tostring(s)
  local function show(v) return v == nil and "" or tostring(v) end
  return show(s.lo) .. ":" .. show(s.hi)
end

function M.slice(lo, hi)
  return setmetatable({lo = lo, hi = hi}, M.Slice)
end

return M
