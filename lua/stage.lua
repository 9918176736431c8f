-- stage.lua: what staged code calls while it runs.
--
-- The dialect reader (lua/dialect.c) rewrites functions given to T.prim_func,
-- tl.jit and T.macro so that Lua's own control flow also works on symbolic
-- values.  What it writes calls this table, the global `__stage`.  On ordinary
-- values every function here does exactly what Lua does; on symbolic ones it
-- asks the backend, which T (lua/T) sets once when it is loaded:
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
--   cmp(op, a, b)     op "lt", "le", "eq", "ne"; a > b comes as lt(b, a).
--                     At least one is an expression; may fold to true or false.
--   land(a, b), lor(a, b), no(a)   logic on bool expressions
--   select(c, a, b)   c a bool expression, a and b numbers or expressions
--   if_open(c), if_else(), if_close()   c a bool expression.  A chain
--                     if/elseif/else is nested: if_open(c1) .. if_else()
--                     if_open(c2) .. if_else() .. if_close() if_close()
--   while_open(c)     closed by close()
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
--   sigend()          after the last annotation statement of the outermost
--                     staged function (not emitted when it has none)
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
--   break              if __stage.brk(__st1, k) then break end
--   goto continue      if __stage.cont(__st1, k) then goto continue end
--   goto other         __stage.jump(__st1, k); goto other
--   return e           __stage.ret(__st1); return e      (in nested blocks)
--   (block start)      __st1[k] = __stage.depth();       where it is asked for
--   x = e              x = __stage.set(x, e, "x", depth where x is declared)
--                      __stage.old(_ENV, "x") instead of x for a global
--   a, b = e, f        a, b = __stage.setn(2, "a,b", a, b, da, db, e, f)
--   local v = e        local v = __stage.bind("v", e)
--   local a, b = e     local a, b = __stage.bindn("a,b", e)
--   A: T.Tensor(..)    A = __stage.annotate("A", A, T.Tensor(..))
--   A[lo:hi]           A[{__stage.slice(lo, hi)}]
--
-- A loop owns two slots: [k] the depth of its body, [k + 1] whether it is
-- traced.  A branch owns two: [k] false: no arm taken yet; true: an ordinary
-- arm was taken; n: n symbolic ifs are open; -n: and an ordinary arm inside
-- their else part was taken; [k + 1] true while in the else part of the last.

local M = {}

local type, select, rawequal = type, select, rawequal
local mtype, ult = math.type, math.ult
local getmt = debug.getmetatable

M.backend = nil

-- Values ------------------------------------------------------------------

local function fail(id, ...)
  local be = M.backend
  if be and be.fail then
    be.fail(id, ...)
  end
  require("moontile.diag").fail(id, ...)
end

local function isobj(v)
  local t = type(v)
  return t == "table" or t == "userdata"
end

local function symbolic(v)
  local t = type(v)
  if t ~= "table" and t ~= "userdata" then
    return false
  end
  local be = M.backend
  return be ~= nil and be.is_symbolic(v)
end

-- What a symbolic value is worth now.
local function value(v)
  local be = M.backend
  if isobj(v) and be.is_var(v) then
    return be.load_var(v)
  end
  return v
end

-- A symbolic condition; numbers are no conditions, since in Lua they would
-- always be true and in Python nearly never.
local function condition(v)
  v = value(v)
  if not M.backend.is_bool(v) then
    fail("stage_cond")
  end
  return v
end

local function depth()
  local be = M.backend
  return be and be.depth() or 0
end
M.depth = depth

-- State of one activation; [0] is the depth at entry.
function M.frame()
  local be = M.backend
  return {[0] = be and be.depth() or 0}
end

-- Comparisons -------------------------------------------------------------

-- Lua's own message, at the user's line (three calls up).
local function incomparable(a, b)
  local ta, tb = type(a), type(b)
  if ta == tb then
    error(("attempt to compare two %s values"):format(ta), 4)
  end
  error(("attempt to compare %s with %s"):format(ta, tb), 4)
end

local function comparable(a, b, event)
  if type(a) == "string" and type(b) == "string" then
    return true
  end
  local ma, mb = getmt(a), getmt(b)
  return ma and ma[event] or mb and mb[event]
end

-- Both sides of a comparison of which one is symbolic.
local function sides(op, a, b)
  if not (symbolic(a) or mtype(a)) then
    fail("stage_compare", type(a))
  elseif not (symbolic(b) or mtype(b)) then
    fail("stage_compare", type(b))
  end
  return M.backend.cmp(op, value(a), value(b))
end

local function less(a, b)
  if symbolic(a) or symbolic(b) then
    return sides("lt", a, b)
  elseif not comparable(a, b, "__lt") then
    incomparable(a, b)
  end
  return a < b
end

local function lesseq(a, b)
  if symbolic(a) or symbolic(b) then
    return sides("le", a, b)
  elseif not comparable(a, b, "__le") then
    incomparable(a, b)
  end
  return a <= b
end

function M.lt(a, b)
  if mtype(a) and mtype(b) then
    return a < b
  end
  local r = less(a, b)
  return r
end

function M.le(a, b)
  if mtype(a) and mtype(b) then
    return a <= b
  end
  local r = lesseq(a, b)
  return r
end

function M.gt(a, b)
  if mtype(a) and mtype(b) then
    return a > b
  end
  local r = less(b, a)
  return r
end

function M.ge(a, b)
  if mtype(a) and mtype(b) then
    return a >= b
  end
  local r = lesseq(b, a)
  return r
end

-- nil when no side is symbolic; a symbolic value equals no string, table, nil.
local function equal(op, a, b)
  local sa, sb = symbolic(a), symbolic(b)
  if not (sa or sb) then
    return nil
  end
  local other = sa and b or a
  if sa and sb or mtype(other) or type(other) == "boolean" then
    return M.backend.cmp(op, value(a), value(b))
  end
  return op == "ne"
end

function M.eq(a, b)
  if isobj(a) or isobj(b) then
    local r = equal("eq", a, b)
    if r ~= nil then
      return r
    end
  end
  return a == b
end

function M.ne(a, b)
  if isobj(a) or isobj(b) then
    local r = equal("ne", a, b)
    if r ~= nil then
      return r
    end
  end
  return a ~= b
end

-- and, or, not ------------------------------------------------------------

function M.no(a)
  if symbolic(a) then
    return M.backend.no(condition(a))
  end
  return not a
end

-- `c and x` on the left of an `or`: pairs of condition and value that wait for
-- the value of the last `or`.
local Pending = {}

local function ispending(v)
  return type(v) == "table" and getmt(v) == Pending
end

-- a and v; a symbolic or pending.
local function and2(pend, a, v)
  local be = M.backend
  local c
  if ispending(a) then
    c = a[#a].c
  else
    c = condition(a)
  end
  if v == nil or v == false then
    return false
  elseif v == true then
    return c
  elseif not (mtype(v) or symbolic(v)) then
    fail("stage_select", type(v))
  end
  v = value(v)
  if not mtype(v) and be.is_bool(v) then
    return be.land(c, v)
  elseif not pend then
    fail("stage_and")
  end
  return setmetatable({{c = c, v = v}}, Pending)
end

-- The select that a list of pairs ends in: the first true condition counts.
local function resolve(list, v)
  for i = #list, 1, -1 do
    v = M.backend.select(list[i].c, list[i].v, v)
  end
  return v
end

-- pending or v
local function pending_or(a, v)
  if v == nil or v == false then
    return a
  elseif ispending(v) then
    local all = setmetatable(table.move(a, 1, #a, 1, {}), Pending)
    return table.move(v, 1, #v, #all + 1, all)
  elseif not (mtype(v) or symbolic(v)) then
    fail("stage_select", type(v))
  end
  return resolve(a, value(v))
end

-- a or v; a a symbolic bool
local function bool_or(a, v)
  if v == nil or v == false then
    return a
  elseif v == true then
    return true
  elseif symbolic(v) then
    v = value(v)
    if M.backend.is_bool(v) then
      return M.backend.lor(a, v)
    end
  end
  fail("stage_or")
end

-- Decides `a or ...` without its right side: true, the result.
local function or_done(a)
  if ispending(a) then
    return false
  elseif symbolic(a) then
    return not M.backend.is_bool(value(a))
  end
  return a
end

local function or2(a, v)
  if ispending(a) then
    return pending_or(a, v)
  elseif symbolic(a) then
    return bool_or(value(a), v)
  end
  return v
end

local function fold_and(pend, a, f, ...)
  if symbolic(a) or ispending(a) then
    a = and2(pend, a, (f()))
  elseif a then
    a = f()
  else
    return a
  end
  if select("#", ...) == 0 then
    return a
  end
  return fold_and(pend, a, ...)
end

local function fold_or(a, f, ...)
  if or_done(a) then
    return a
  end
  a = or2(a, (f()))
  if select("#", ...) == 0 then
    if ispending(a) then
      fail("stage_and")
    end
    return a
  end
  return fold_or(a, ...)
end

function M.land(a, f, ...)
  if not isobj(a) and select("#", ...) == 0 then
    return a and (f())
  end
  return fold_and(false, a, f, ...)
end

function M.landp(a, f, ...)
  if not isobj(a) and select("#", ...) == 0 then
    return a and (f())
  end
  return fold_and(true, a, f, ...)
end

function M.lor(a, f, ...)
  if not isobj(a) and select("#", ...) == 0 then
    return a or (f())
  end
  return fold_or(a, f, ...)
end

-- Values as the closures that fold_* want.
local function thunks(n, v, ...)
  if n == 0 then
    return
  end
  return function() return v end, thunks(n - 1, ...)
end

function M.andv(a, b, ...)
  local n = select("#", ...)
  if n == 0 and not symbolic(a) and not ispending(a) then
    return a and b
  end
  return fold_and(false, a, thunks(n + 1, b, ...))
end

function M.andpv(a, b, ...)
  local n = select("#", ...)
  if n == 0 and not symbolic(a) and not ispending(a) then
    return a and b
  end
  return fold_and(true, a, thunks(n + 1, b, ...))
end

function M.orv(a, b, ...)
  local n = select("#", ...)
  if n == 0 and not symbolic(a) and not ispending(a) then
    return a or b
  end
  return fold_or(a, thunks(n + 1, b, ...))
end

-- n closures that take the arguments behind them.
local function applied(n, ...)
  local all = table.pack(...)
  local fs = {}
  for i = 1, n do
    local f = all[i]
    fs[i] = function() return f(table.unpack(all, n + 1, all.n)) end
  end
  return table.unpack(fs, 1, n)
end

function M.landx(n, a, ...) return fold_and(false, a, applied(n, ...)) end
function M.landpx(n, a, ...) return fold_and(true, a, applied(n, ...)) end
function M.lorx(n, a, ...) return fold_or(a, applied(n, ...)) end

-- if ----------------------------------------------------------------------

function M.test(fr, k, c)
  if symbolic(c) then
    M.backend.if_open(condition(c))
    fr[k], fr[k + 1] = 1, false
    return true
  end
  fr[k] = c and true or false
  return c
end

-- May a further arm (elseif or else) run?
function M.elif(fr, k)
  local s = fr[k]
  if s == true then
    return false
  elseif s == false then
    return true
  elseif s < 0 then
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
  end
  return c
end

function M.fi(fr, k)
  local s = fr[k]
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
  return true
end

function M.loopif(fr, k, c)
  if symbolic(c) then
    M.backend.while_open(condition(c))
    fr[k + 1] = true
    return true
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

function M.loop(names, ...)
  local be = M.backend
  if be then
    be.loop_frame(names, ...)
  end
  return ...
end

function M.loopk(fr, k, names, ...)
  local be = M.backend
  fr[k + 1] = be ~= nil and be.loop_frame(names, ...)
  return ...
end

-- Closes a traced numeric loop however it is left.
local Loop = {}
Loop.__index = Loop
function Loop.__close(self)
  local be = M.backend
  while self.open and be.depth() >= self.depth do
    be.close()
  end
  self.open = false
end

local function once(self)
  if self.open then
    self:__close()
    return nil
  end
  local be = M.backend
  local v = be.for_open(self.lo, self.hi, self.step, self.name)
  self.open, self.depth = true, be.depth()
  return v
end
Loop.__call = once

local function traced_range(name, a, b, s)
  a, b, s = value(a), value(b), value(s)
  if not mtype(s) or s == 0 then
    fail("stage_step")
  end
  local hi = s > 0 and b + 1 or b - 1
  local self = setmetatable({lo = a, hi = hi, step = s, name = name}, Loop)
  return once, self, nil, self
end

-- n // d of unsigned integers.
local function udiv(n, d)
  if d < 0 then
    return ult(n, d) and 0 or 1
  elseif n >= 0 then
    return n // d
  end
  local q = ((n >> 1) // d) << 1
  return ult(n - q * d, d) and q or q + 1
end

-- How often a loop over integers turns after its first time; nil when it does
-- not turn at all.  The limit is clipped as Lua does (lvm.c: forlimit).
local function int_range(a, b, s)
  if mtype(b) == "float" then
    local n = math.tointeger(s > 0 and math.floor(b) or math.ceil(b))
    if not n then
      if (b > 0) == (s < 0) then
        return nil
      end
      n = b > 0 and math.maxinteger or math.mininteger
    end
    b = n
  end
  if s > 0 then
    return a <= b and udiv(b - a, s) or nil
  end
  return a >= b and udiv(a - b, -s) or nil
end

local function nothing() end

local function plain_range(a, b, s)
  if mtype(a) == "integer" and mtype(s) == "integer" then
    local left = int_range(a, b, s)
    if not left then
      return nothing
    end
    local i, first = a - s, true
    return function()
      if first then
        first = false
      elseif left == 0 then
        return nil
      else
        left = left - 1
      end
      i = i + s
      return i
    end
  end
  local i = a + 0.0
  local first = true
  b, s = b + 0.0, s + 0.0
  return function()
    if first then
      first = false
    else
      i = i + s
    end
    if s > 0 and i <= b or s < 0 and b <= i then
      return i
    end
  end
end

local function native(a, b, s)
  for _ = a, b, s do -- luacheck: ignore 512
    break
  end
end

-- Bounds that are no numbers: Lua's own complaint, at the line of the `for`;
-- strings count as far as Lua takes them.
local function checked(a, b, s)
  if not (mtype(a) and mtype(b) and mtype(s)) or s == 0 then
    local ok, msg = pcall(native, a, b, s)
    if not ok then
      error((msg:gsub("^[^:]*:%d+: ", "")), 3)
    end
    if mtype(a) ~= "integer" or mtype(s) ~= "integer" then
      a = a + 0.0
    end
    return a, tonumber(b), tonumber(s)
  end
  return a, b, s
end

function M.range(name, a, b, s)
  if symbolic(a) or symbolic(b) or symbolic(s) then
    return traced_range(name, a, b, s)
  end
  a, b, s = checked(a, b, s)
  return plain_range(a, b, s)
end

function M.rangek(fr, k, name, a, b, s)
  fr[k + 1] = symbolic(a) or symbolic(b) or symbolic(s)
  if fr[k + 1] then
    return traced_range(name, a, b, s)
  end
  a, b, s = checked(a, b, s)
  return plain_range(a, b, s)
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

function M.bindn(names, ...)
  if not M.backend then
    return ...
  end
  local l = split(names)
  local v = table.pack(...)
  for i = 1, v.n < #l and v.n or #l do
    v[i] = bind(l[i], v[i])
  end
  return table.unpack(v, 1, v.n)
end

-- What a global holds, without asking a metatable.
function M.old(env, name)
  if type(env) == "table" then
    return rawget(env, name)
  end
  return nil
end

local function isfresh(v)
  return isobj(v) and M.backend.is_var(v) and not named[v]
end

local function set(x, e, name, d)
  local be = M.backend
  if isobj(x) and be.is_var(x) and not isfresh(e) then
    if not rawequal(x, e) then
      be.store_var(x, value(e))
    end
    return x
  elseif d and be.depth() > d then
    fail("stage_assign", name)
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
  local v = table.move(a, 2 * n + 1, 3 * n, 1, {})
  for i = 1, n do
    if symbolic(v[i]) and not isfresh(v[i]) then
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
