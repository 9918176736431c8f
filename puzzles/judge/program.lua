-- judge/program.lua: a program as a list of statements, and questions about it, for the
-- goals of puzzles: what its statements are and do, never how a text prints them, since the
-- text of a message may be anything.
--
--   program.of(P [, machine]) -> {buffers = {[number] = {name, scope, dtype, param}},
--       statements = {{kind, op, form, stages, turns, call, async, lone, reads, writes, calls, uses, parent}, ..}}
--
-- The tile program, or the thread program of a machine.  Statements come in program order, but for
-- those whose values nobody needs: a product that goes nowhere meets no goal.
-- parent: number of the one around.  kind, op, call, reads, writes, calls, uses are those of lua/seam/flow.c
-- (a view, of scope "view", is never among them: its buffer is); form, stages, turns: of "for"; lone: an "if" that one thread alone
-- enters; param: a tensor of the call.  Puzzles see the questions as `program`.

local flow = require "moontile.flow"

local M = {}

-- How many of the block's threads may enter an `if`: those for which its condition is not known
-- to be false.
local function enter(f, tree, launch, cond)
  local thread
  for id, v in pairs(tree.vars) do
    thread = v.kind == "thread" and not thread and id or thread
  end
  local n = 0
  for t = 0, thread and launch.threads - 1 or 0 do
    if thread then
      f:set(thread, t)
    end
    n = n + (f:eval(cond) ~= 0 and 1 or 0)
  end
  if thread then
    f:set(thread)
  end
  return n
end

-- How many turns a loop makes; nil: that is not known.
local function turns(f, s)
  local n = 1
  for i = 1, #s.lo do
    local lo, hi, step = f:eval(s.lo[i]), f:eval(s.hi[i]), s.step == 0 and 1 or f:eval(s.step) or 0
    n = n and lo and hi and step > 0 and n * math.max(0, (hi - lo + step - 1) // step) or nil
  end
  return n
end

local function add_block(r, block, parent)
  for _, s in ipairs(block or {}) do
    local own = #r.statements + 1
    r.statements[own] = {kind = s.kind, op = s.op, call = s.call, async = s.async, form = s.loop,
      stages = s.stages, turns = s.kind == "for" and turns(r.flow, s) or nil, reads = s.reads, writes = s.writes, calls = s.calls or {}, var = s.var,
      uses = s.uses or {}, parent = parent,
      lone = s.kind == "if" and enter(r.flow, r.tree, r.launch, s.cond) == 1 or nil}
    add_block(r, s.body, own)
    add_block(r, s.other, own)
  end
end

local ask = {}
M.ask = ask

-- The first number of a statement's `reads` or `writes` that is in a set of buffers; or nil.
function ask.among(list, set)
  for _, n in ipairs(list) do
    if set[n] then
      return n
    end
  end
end

-- Statements for the results ------------------------------------------------------------------

local inner = {fragment = true, shared = true, ["local"] = true, var = true}
local holds = {["if"] = true, ["for"] = true, ["while"] = true, role = true} -- others; for these alone they are there

-- Does s do something for the results?  A `let` is for who uses it; what writes to no buffer and is neither
-- waits or tells.
local function matters(s, needed)
  if s.kind == "let" or needed.vars[s.var] then -- an atomic has one too: what was there before
    return needed.vars[s.var]
  elseif holds[s.kind] then
    return s.needed -- by one inside of it
  end
  return #s.writes == 0 and s.kind ~= "alloc" or ask.among(s.writes, needed.buffers) ~= nil
end

-- What matters needs what it reads, and those around it.  -> was anything new?
local function needs(r, s, needed)
  local new = not s.needed
  s.needed = true
  for _, n in ipairs(s.reads) do
    new = new or not needed.buffers[n]
    needed.buffers[n] = true
  end
  for _, v in ipairs(s.uses) do
    new = new or not needed.vars[v]
    needed.vars[v] = true
  end
  local up = s.parent and r.statements[s.parent]
  if up and not up.needed then
    up.needed, new = true, true
  end
  return new
end

-- Marks the statements whose values get into a tensor of the call, or decide whether something does.
local function mark_needed(r)
  local needed, more = {buffers = {}, vars = {}}, true
  for i, b in pairs(r.buffers) do
    needed.buffers[i] = b.param or not inner[b.scope] or nil
  end
  while more do
    more = false
    for _, s in ipairs(r.statements) do
      if matters(s, needed) then
        more = needs(r, s, needed) or more
      end
    end
  end
end

-- r.statements without those that only fill what nobody reads; the numbers of those around follow.
local function drop_idle(r)
  local kept, number = {}, {}
  mark_needed(r)
  for i, s in ipairs(r.statements) do
    if s.kind == "alloc" or s.needed then
      kept[#kept + 1], number[i] = s, #kept + 1
      s.parent = number[s.parent]
    end
  end
  r.statements = kept
end

function M.of(P, machine)
  local f = flow.open(P, machine)
  local r = {flow = f, tree = f:tree(), statements = {}, buffers = {}}
  for i, b in ipairs(r.tree.bufs) do
    r.buffers[i] = {name = b.name, scope = b.base and "view" or b.scope, dtype = b.dtype,
      param = b.param or b.out}
  end
  for _, launch in ipairs(r.tree.launches) do
    r.launch = launch
    add_block(r, launch.body)
  end
  drop_idle(r)
  return {buffers = r.buffers, statements = r.statements}
end

-- Questions ------------------------------------------------------------------------------

-- Does a record have all the fields of `want`, with these values?
local function fits(record, want)
  for key, v in pairs(want) do
    if record[key] ~= v then
      return false
    end
  end
  return true
end

-- The statements with these fields, in order: program.find(f.tile, {op = "copy"}).
function ask.find(p, want)
  local found = {}
  for _, s in ipairs(p.statements) do
    if fits(s, want) then
      found[#found + 1] = s
    end
  end
  return found
end

-- The buffers with these fields, by number: program.buffers(f.tile, {scope = "global"}).
function ask.buffers(p, want)
  local found = {}
  for i, b in ipairs(p.buffers) do
    if fits(b, want) then
      found[i] = b
    end
  end
  return found
end

-- Does a statement, or one around it, have these fields?
function ask.within(p, s, want)
  while s do
    if fits(s, want) then
      return true
    end
    s = s.parent and p.statements[s.parent]
  end
  return false
end

-- Is a function or intrinsic whose name begins so called anywhere?
function ask.calls(p, head)
  for _, s in ipairs(p.statements) do
    if s.call and s.call:sub(1, #head) == head then
      return true
    end
    for _, name in ipairs(s.calls) do
      if name:sub(1, #head) == head then
        return true
      end
    end
  end
  return false
end

return M
