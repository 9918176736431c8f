-- T/backend.lua: what staged code does with symbolic values: the interface that
-- lua/stage/init.lua documents, over moontile.ir and the trace that runs.
--
-- In the first phase of tl.jit there is no kernel to fill: branches and loops
-- on constants' symbols are walked once and leave nothing.

local describe = require "moontile.base.describe"
local diag = require "moontile.diag"
local ir = require "moontile.ir"
local loops = require "moontile.T.loops"
local registry = require "moontile.T.registry"
local rng = require "moontile.T.rng"
local trace = require "moontile.T.trace"

local M = {}

local current = trace.current
local isvalue, kind = ir.isvalue, ir.kind

-- The program that statements go to; nil while only a signature is read.
local function program(what)
  local P = trace.prog(what)
  if current().mode == "sig" then
    return nil
  end
  return P
end

-- Values ----------------------------------------------------------------------

function M.is_symbolic(v)
  return isvalue(v, true)
end

-- The buffer of a slice, which cannot be taken as a value; nil: it is none.
function M.sliced(v)
  return kind(v) == "region" and v.buffer or nil
end

function M.is_var(v)
  return kind(v) == "var"
end

function M.is_bool(v)
  return ir.dtype(v) == "bool"
end

function M.load_var(v)
  return (ir.cast(v, v.dtype))
end

function M.store_var(v, e)
  ir.set(v, e)
end

function M.let(name, e)
  local t = current()
  if not t or t.mode == "sig" then
    return e
  end
  rng.bound(t.P, e)
  return (ir.let(t.P, name, e))
end

-- `local bx, by = T.get_block_bindings()`
function M.spread(list, n)
  local what = trace.lists[list]
  if not what then
    return list
  elseif n > #list then
    diag.fail("spread_count", what, #list, n)
  end
  return table.unpack(list, 1, n)
end

function M.name(v, name)
  ir.name(v, name)
end

function M.cmp(op, a, b)
  return (ir.cond[op](a, b))
end

M.land, M.lor, M.no, M.select = ir.and_, ir.or_, ir.not_, ir.select

-- Frames ----------------------------------------------------------------------

function M.if_open(c)
  local P = program("if")
  if P then
    ir.if_(P, c)
  end
end

function M.if_else()
  local P = program("else")
  if P then
    ir.else_(P)
  end
end

function M.close()
  local P = program("end")
  if P then
    ir.close(P)
  end
end

M.if_close = M.close

-- A mark for what an expression may leave in front of itself; nil where nothing is made.
function M.mark()
  local t = current()
  if t and t.mode ~= "sig" then
    return (ir.mark(t.P))
  end
end

function M.drop(mark)
  ir.drop(current().P, mark)
end

-- A condition that takes statements is a variable that each turn sets first.
local function while_again(P, c, mark)
  local go = ir.buffer(P, "var", "bool", 1, "go")
  ir.hold(P, mark)
  ir.alloc(go, true)
  ir.while_(P, go)
  ir.release(P, mark)
  ir.set(go, c)
  ir.if_(P, ir.not_(go))
  ir.break_(P)
  ir.close(P)
end

function M.while_open(c, mark)
  local P = program("while")
  if not P then
    return
  elseif mark and ir.since(P, mark) ~= "none" then
    return while_again(P, c, mark)
  elseif mark then
    ir.drop(P, mark)
  end
  ir.while_(P, c)
end

-- A variable for a value that is made in an inner block; nil for what needs none.
local function variable(P, v)
  local dtype = isvalue(v, true) and ir.dtype(v)
  if not dtype then
    return nil
  end
  local found = ir.buffer(P, "var", dtype, 1, "found")
  ir.alloc(found, dtype == "bool" and false or 0)
  return found
end

-- The values of a list, whose statements since the mark are done only if c() holds, unless all
-- threads must do them.
function M.guarded(values, mark, c)
  local P, found = current().P, {}
  if ir.since(P, mark) ~= "some" then
    ir.drop(P, mark)
    return
  end
  local place, n = ir.hold(P, mark)
  for i = 1, values.n do
    found[i] = variable(P, values[i])
  end
  ir.if_(P, c())
  ir.release(P, mark)
  for i = 1, values.n do
    if found[i] then
      ir.set(found[i], values[i])
    end
  end
  ir.close(P)
  for i = 1, values.n do
    values[i] = found[i] and ir.let(P, "found", found[i], true) or values[i]
  end
  ir.changed(P, place, n)
end

-- What is never done stands in a branch that is never taken.
function M.kept(mark, yes)
  local P = current().P
  if yes or ir.since(P, mark) ~= "some" then
    ir.drop(P, mark)
    return
  end
  ir.hold(P, mark)
  ir.if_(P, false)
  ir.release(P, mark)
  ir.close(P)
end

function M.left(mark)
  local P = current().P
  local some = ir.since(P, mark) == "some"
  ir.drop(P, mark)
  return some
end

local choosers = {}
for _, name in ipairs {"if_then_else", "And", "Or"} do
  choosers[registry.names[name].value] = "T." .. name
end

function M.chooses(f) return choosers[f] end

function M.chosen(f, ...)
  local t = current()
  t.chosen = true
  local r = f(...)
  t.chosen = false
  return r
end

function M.for_open(lo, hi, step, name)
  local P = program("for")
  if not P then
    return (ir.dim(current().P, name))
  end
  return (ir.loop(P, "serial", name, step, lo, hi))
end

function M.brk()
  local P = program("break")
  if P then
    ir.break_(P)
  end
end

function M.cont()
  local P = program("goto continue")
  if P then
    ir.continue_(P)
  end
end

M.loop_frame = loops.loop_frame

-- An arm that does not run: once for each, however often a loop passes it.
function M.skipped(chunk, from, to)
  local t = current()
  if t and t.mode ~= "sig" then
    local key = ("%s:%d:%d"):format(chunk, from, to)
    t.skipped[key] = t.skipped[key] or {chunk, from, to}
  end
end

function M.depth()
  local t = current()
  if not t or t.mode == "sig" then
    return 0
  end
  return (ir.depth(t.P))
end

-- Signatures ------------------------------------------------------------------

M.annotate = trace.annotate
M.plain = trace.plain

-- The first phase ends here, unless a parameter still waits for its type, which
-- T.annotate may give in plain Lua.  A parameter without a value may be one that has none:
-- then the phase ends where it fails.
function M.sigend()
  local t = current()
  if not t or t.mode ~= "sig" or #t.macros > 0 then
    return
  end
  local waits, typed = false, #t.constlist > 0
  for _, p in ipairs(t.params) do
    if not p.object and p.early then
      return
    end
    waits, typed = waits or not p.object and p.value == nil, typed or p.object ~= nil
  end
  if not typed then -- Python's types alone, `n: int`, say nothing of what a kernel takes
    return
  end
  t.may_end = true
  if not waits then
    error(trace.done, 0)
  end
end

-- Mistakes ----------------------------------------------------------------------

function M.assert_(c, message)
  local P = program("assert")
  if P then
    trace.kernel("assert")
    ir.assert(P, c, type(message) == "string" and message ~= "" and message or nil)
  end
end

M.describe = describe

-- A whole buffer has no value.
function M.refuse(v)
  if kind(v) == "buffer" then
    diag.fail("buffer_value", v.name, v.ndim)
  end
end

local function thing(v)
  return kind(v) == "buffer" and ("`%s`"):format(v.name) or describe(v)
end

local walks = {[next] = true, [(ipairs {})] = true}

-- pairs and ipairs find no end in a buffer; a number cannot be iterated over.
function M.iterable(f, s)
  if kind(f) or math.type(f) then
    diag.fail("stage_iter", thing(f))
  elseif kind(s) and walks[f] then
    diag.fail("stage_iter", thing(s))
  end
end

M.fail = diag.fail

return M
