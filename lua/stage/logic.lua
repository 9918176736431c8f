-- stage/logic.lua: comparisons and `and`, `or`, `not` of staged code.

local core = require "moontile.stage.core"
local M = core.stage
local fail, isobj, symbolic = core.fail, core.isobj, core.symbolic
local value, condition, describe = core.value, core.condition, core.describe

local type, select, mtype = type, select, math.type
local getmt = debug.getmetatable

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
    fail("stage_compare", describe(a))
  elseif not (symbolic(b) or mtype(b)) then
    fail("stage_compare", describe(b))
  end
  return M.backend.cmp(op, value(a), value(b))
end

-- Comparing what plain Lua cannot: the backend may say why.
local function refused(a, b)
  local be = M.backend
  if be and be.refuse then
    be.refuse(a)
    be.refuse(b)
  end
end

local function less(a, b)
  if symbolic(a) or symbolic(b) then
    return sides("lt", a, b)
  end
  refused(a, b)
  if not comparable(a, b, "__lt") then
    incomparable(a, b)
  end
  return a < b
end

local function lesseq(a, b)
  if symbolic(a) or symbolic(b) then
    return sides("le", a, b)
  end
  refused(a, b)
  if not comparable(a, b, "__le") then
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
  local be = M.backend
  local sa, sb = symbolic(a), symbolic(b)
  if not (sa or sb) then
    return nil
  end
  local one, other = value(sa and a or b), sa and b or a
  if sa and sb or mtype(other) then
    return be.cmp(op, value(a), value(b))
  elseif type(other) == "boolean" and be.is_bool(one) then
    if other == (op == "eq") then
      return one
    end
    return be.no(one)
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

-- The left side of an `and` holds.
local function holds(a)
  if ispending(a) then
    return a[#a].c
  end
  return condition(a)
end

-- a and v; a symbolic or pending.
local function and2(pend, a, v)
  local be, c = M.backend, holds(a)
  if v == nil or v == false then
    return false
  elseif v == true then
    return c
  elseif not (mtype(v) or symbolic(v)) then
    fail("stage_select", describe(v))
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
    fail("stage_select", describe(v))
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

-- The left side of an `or` does not.
local function fails(a)
  local be = M.backend
  if not ispending(a) then
    return be.no(condition(a))
  end
  local all = be.no(a[1].c)
  for i = 2, #a do
    all = be.land(all, be.no(a[i].c))
  end
  return all
end

-- A left side as it is now: what stands to its right may change what its conditions read.
local function settled(a)
  local let = M.backend.let
  if symbolic(a) then
    return let("cond", value(a))
  elseif not ispending(a) then
    return a
  end
  local all = {}
  for i, pair in ipairs(a) do
    all[i] = {c = let("cond", pair.c), v = pair.v}
  end
  return setmetatable(all, Pending)
end

-- What f gives; what it does in the program is done only if test(a).  -> that, and a
local function right(f, test, a, ...)
  local mark = core.mark()
  local v = f(...)
  if not mark then
    return v, a
  end
  local values = {n = 1, v}
  if ispending(v) then
    values.n = 2 * #v
    for i, pair in ipairs(v) do
      values[2 * i - 1], values[2 * i] = pair.c, pair.v
    end
  end
  M.backend.guarded(values, mark, function()
    a = settled(a)
    return test(a)
  end)
  if not ispending(v) then
    return values[1], a
  end
  local all = {}
  for i = 1, #v do
    all[i] = {c = values[2 * i - 1], v = values[2 * i]}
  end
  return setmetatable(all, Pending), a
end

local function fold_and(pend, a, f, ...)
  if symbolic(a) or ispending(a) then
    local v, left = right(f, holds, a)
    a = and2(pend, left, v)
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
  if symbolic(a) or ispending(a) then
    local v, left = right(f, fails, a)
    a = or2(left, v)
  else
    a = or2(a, (f()))
  end
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

-- Choosers ----------------------------------------------------------------

-- Whether c, a number or a truth value of Lua, holds.
local function decided(c)
  return not (c == nil or c == false or c == 0)
end

local function takes(c)
  c = value(c)
  return M.backend.is_bool(c) and c or M.backend.cmp("ne", c, 0)
end

local function leaves(c)
  return M.backend.no(takes(c))
end

-- What f gives where c holds (takes) or does not (leaves). -> that, and c
local function side(f, test, c, ...)
  if symbolic(c) then
    return right(f, test, c, ...)
  end
  local mark = core.mark()
  local v = f(...)
  if mark then
    M.backend.kept(mark, decided(c) == (test == takes))
  end
  return v, c
end

-- What an f of T is that evaluates only what it chooses; nil: it is none.
local function chooser(f)
  local be = M.backend
  return be and be.chooses and be.chooses(f)
end

-- T.if_then_else(c, a, b): what a and b do in the program is done only if they are chosen.
function M.if_then_else(f, c, a, b, ...)
  if not chooser(f) then
    return f(c, a(...), (b(...)))
  end
  local x, y
  x, c = side(a, takes, c, ...)
  y, c = side(b, leaves, c, ...)
  local r = M.backend.chosen(f, c, x, y)
  return r
end

local function second(f, test, a, b, ...)
  if not chooser(f) then
    return f(a, (b(...)))
  end
  local v
  v, a = side(b, test, a, ...)
  local r = M.backend.chosen(f, a, v)
  return r
end

function M.And(f, a, b, ...)
  local r = second(f, takes, a, b, ...)
  return r
end

function M.Or(f, a, b, ...)
  local r = second(f, leaves, a, b, ...)
  return r
end

-- Any of them with named arguments, all in one closure: none of them may do anything.
function M.named(f, all, ...)
  local mark = chooser(f) and core.mark()
  local values = table.pack(all(...))
  if mark and M.backend.left(mark) then
    fail("stage_chosen", chooser(f))
  end
  return f(table.unpack(values, 1, values.n))
end

return M
