-- tl/trace.lua: k:trace{...}: when what one block of a kernel does would happen: its
-- roles, stages, copies, products and barriers on one clock.
--
--   k:trace{target = "sim -arch=sm_90a", block = {0, 0}, inputs = {A, B}}
--
-- The simulator executes the block's cluster alone, where no block reads what another
-- writes, and a model of the machine moves clocks beside it (targets/sim/trace.h): order
-- and waits are those of the executed schedule, cycles are an estimate.
--
-- Options: target (any with threads; else the simulator of the kernel's machine), block
-- ({x, y, z}; {0, 0, 0}), launch (which T.Kernel, from 1), inputs, dims (sizes for random
-- inputs), scalars ({name = value}), iterations ({from, to}: only what belongs to these
-- rounds of the main loop), keep (a result even where the run is found wrong).  Inputs
-- are those of the kernel's last call, else random.
--
-- Fields of the result:
--   kernel, target, machine, card, block, grid, launch, blocks (of the cluster), threads,
--   warp, alone (no other block was executed), inputs ("given", "last", "random",
--   "zeros"), assumed (facts of the machine are assumptions), error (with keep)
--   cycles, us (absent: the clock is not known), cut (no events from this cycle on)
--   busy {matrix, memory, shared}: part of the cycles that each is taken
--   loop {file, line, name, first, last}: the main loop, or nil
--   steady {from, to, rounds, cycles, matrix}: iterations from .. to do the same again
--     every `rounds` iterations and cycles; matrix: busy meanwhile; nil: they do not
--   rows {{name, role, first, last (warps of the block), idle (it does nothing in the
--     loop), waits = {reason = cycles}}, ..}.  Reasons: copy, empty (stage), arrival,
--     barrier, store, product, memory, matrix, result
--   events {{kind, from, to, rows = {first, last}, file, line, iteration, outer, count,
--     what, buffer, stage, phase, bytes, flops, busy, stall, reason, by}, ..} by time.
--     kind: compute, load, store, copy, matrix (issued), arrive, wait, barrier; of units
--     flight (a copy on its way) and product (matrix units)
--   stalls {{row, line, file, reason, by, cycles, share, times}, ..}: longest first; of
--     rows that are not idle, and without the time that matrix units are at work
--   lines {{file, line, text, what, times, cycles, stall}, ..}

local accept = require "moontile.base.accept"
local describe = require "moontile.base.describe"
local device = require "moontile.tl.device"
local diag = require "moontile.diag"
local disk = require "moontile.files"
local json = require "moontile.tl.json"
local kernel = require "moontile.tl.kernel"
local options = require("moontile.tl.tensor").rules.options
local reader = require "moontile.tl.traceread"
local tensors = require "moontile.tl.tensor"
local W = require "moontile.base.translations"

local M = {}

local Result = {__name = "trace"}
Result.__index = Result
M.Result = Result

local MostRandom = 1 << 23 -- elements of random inputs; beyond, zeros
local MostRows = 8

-- Running ---------------------------------------------------------------------------------

local known = {target = true, block = true, launch = true, inputs = true, dims = true,
  scalars = true, iterations = true, keep = true}

local function wrong(name, want, got)
  diag.fail("arg_type", "kernel:trace", name, want, describe(got),
    "k:trace{block = {0, 0}}")
end

local function is_naturals(v, most)
  if type(v) ~= "table" or #v < 1 or #v > most then
    return false
  end
  for _, n in ipairs(v) do
    if math.type(n) ~= "integer" or n < 0 then
      return false
    end
  end
  return true
end

local function check_options(o)
  if o.block ~= nil and not is_naturals(o.block, 3) then
    wrong("block", W"a list of block indices", o.block)
  elseif o.launch ~= nil and not (math.type(o.launch) == "integer" and o.launch >= 1) then
    wrong("launch", W"a number from 1 up", o.launch)
  elseif o.iterations ~= nil and not (is_naturals(o.iterations, 2) and #o.iterations == 2) then
    wrong("iterations", W"{from, to}, counted from 0", o.iterations)
  end
end

-- Elements of the inputs; raises where their shapes are not known.
local function elements(k, dims)
  local env, n = {}, 0
  for i, name in ipairs(k.dim_names) do
    env[k.dim_vars[i]] = dims and dims[name] or diag.fail("trace_symbols", k.name, name)
  end
  for _, p in ipairs(k.inputs) do
    local each = p.kind == "tensor" and 1 or 0
    for _, r in ipairs(p.shape or {}) do
      each = each * (r.n or require("moontile.ir").eval(r.e, env) or 0)
    end
    n = n + each
  end
  return n
end

-- The arguments of the last call, if all of them are still there.
local function last_inputs(k)
  local v = k.inputs_last
  for i in ipairs(k.inputs) do
    if not v or v[i] == nil then
      return nil
    end
  end
  return v
end

local function inputs_of(k, o)
  local last = not o.dims and last_inputs(k)
  if o.inputs then
    return o.inputs, "given"
  elseif last then
    return last, "last"
  end
  local how = elements(k, o.dims) > MostRandom and "zeros" or "random"
  local _ <close> = require("moontile.tl.tensor").seeded(0)
  return k:get_profiler(how == "zeros" and "Zero" or "Randn"):inputs(o.dims, function(p)
    local v = o.scalars and o.scalars[p.name]
    return v == nil and diag.fail("bench_scalar", k.name, p.name) or v
  end), how
end

local function read_file(path)
  local text = assert(disk.read(path))
  os.remove(path)
  return text
end

-- What the simulator recorded, and the error of the run.
local function record(k, values, keep)
  local s, m, args = k:bound(tensors.copies(values))
  local _ <close> = setmetatable({}, {__close = function() device.close(k.target) end})
  local ok, err = pcall(s.launch, s, m, args, {print = function() end})
  if not ok and not keep then
    error(err, 0)
  end
  local got, path = pcall(s.text, s, m, "trace")
  if not got then
    error(ok and path or err, 0)
  end
  return reader.read(read_file(path)), not ok and err or nil
end

-- Rows: who acts by itself ------------------------------------------------------------------

-- Names of the warps [first, last] of the block.
local function row_name(role, first, last)
  local warps = first == last and "warp " .. first or ("warps %d-%d"):format(first, last)
  return role and role .. " " .. warps:gsub("^warps? ", "w") or warps
end

local function role_of(raw, warp)
  for _, r in ipairs(raw.roles) do
    if warp * raw.warp >= r.lo and warp * raw.warp < r.hi then
      return r
    end
  end
end

-- Warps where a part begins that does something by itself.
local function borders(raw, list, fine)
  local at = {[0] = true}
  for _, r in ipairs(raw.roles) do
    at[r.lo // raw.warp], at[r.hi // raw.warp] = true, true
  end
  for _, e in ipairs(fine and list or {}) do
    if e.kind ~= "flight" and e.kind ~= "product" and e.to > e.from then
      at[e.w0], at[e.w1] = true, true
    end
  end
  return at
end

local function rows_of(raw, list)
  local warps = (raw.threads + raw.warp - 1) // raw.warp
  for _, fine in ipairs {true, false} do
    local at, rows, first = borders(raw, list, fine), {}, 0
    for w = 1, warps do
      if at[w] or w == warps then
        local role = role_of(raw, first)
        rows[#rows + 1] = {first = first, last = w - 1, role = role and role.name,
          name = row_name(role and role.name, first, w - 1), waits = {}}
        first = w
      end
    end
    if #rows <= MostRows or not fine then
      return rows
    end
  end
end

-- Events ------------------------------------------------------------------------------------

-- Why it waits.
local function reason_of(e)
  if e.letter == "w" then
    return e.queue and "copy" or (e.buffer or ""):find "_empty$" and "empty" or "arrival"
  elseif e.letter == "g" then
    return ({cp = "copy", bulk = "store", wgmma = "product"})[e.queue]
  elseif e.letter == "p" then
    return "memory"
  elseif e.letter == "b" then
    return "barrier"
  end
end

-- The loop that most of the pipeline's events stand in, innermost.
local function main_loop(list)
  local count, best = {}, nil
  local weight = {copy = 1, wait = 1, barrier = 1, flight = 1, product = 1}
  for _, e in ipairs(list) do
    local f = e.loops[#e.loops]
    if f and weight[e.kind] then
      local key = ("%s:%d:%s"):format(f.loop.file, f.loop.line, f.loop.name)
      local c = count[key] or {n = 0, loop = f.loop}
      count[key] = c
      c.n = c.n + 1
      if not best or c.n > best.n then
        best = c
      end
    end
  end
  return best and {file = best.loop.file, line = best.loop.line, name = best.loop.name}
end

local function same_loop(a, b)
  return a.line == b.line and a.name == b.name and a.file == b.file
end

-- Sets iteration and outer of the events, and first and last of the loop.
local function set_iterations(list, loop)
  for _, e in ipairs(list) do
    local outer = {}
    for _, f in ipairs(e.loops) do
      if loop and same_loop(f.loop, loop) then
        e.iteration = f.value
        break
      end
      outer[#outer + 1] = ("%s=%d"):format(f.loop.name or "?", f.value)
    end
    e.outer = e.iteration and #outer > 0 and table.concat(outer, " ") or nil
    if e.iteration then
      loop.first = math.min(loop.first or e.iteration, e.iteration)
      loop.last = math.max(loop.last or e.iteration, e.iteration)
    end
  end
end

local function place(rows, e)
  local first, last
  for i, r in ipairs(rows) do
    if e.w0 <= r.last and e.w1 > r.first then
      first, last = first or i, i
    end
  end
  e.rows = {first, last}
end

local order = {flight = 2, product = 2}

-- Events of one block of the cluster, by time; warps count in the block.
local function events_of(raw, cta)
  local per = (raw.threads + raw.warp - 1) // raw.warp
  local list = {}
  for i, e in ipairs(raw.events) do
    if e.cta == cta then
      e.w0, e.w1, e.at = e.w0 % per, (e.w1 - 1) % per + 1, i
      e.reason = reason_of(e)
      list[#list + 1] = e
    end
  end
  table.sort(list, function(a, b)
    if a.from ~= b.from then
      return a.from < b.from
    end
    local x, y = order[a.kind] or 1, order[b.kind] or 1
    return x < y or x == y and a.at < b.at
  end)
  return list
end

-- Sums --------------------------------------------------------------------------------------

-- Why and for how long the warps of an event do nothing in it; nil: they do not wait.
local function waiting(e)
  if e.reason then
    return e.reason, e.to - e.from
  elseif e.stall > 0 and not order[e.kind] then
    return e.kind == "matrix" and "matrix" or e.kind == "load" and "memory" or "result", e.stall
  end
end

-- Warps that a role has and does not need: they only wait.
local working = {copy = true, matrix = true, load = true, store = true}

local function add_waits(rows, list)
  for _, r in ipairs(rows) do
    r.idle = r.role ~= nil
  end
  for _, e in ipairs(list) do
    local why, n = waiting(e)
    for i = e.rows[1] or 1, not order[e.kind] and e.rows[2] or 0 do
      local w = rows[i].waits
      if why then
        w[why] = (w[why] or 0) + n
      end
      rows[i].idle = rows[i].idle and not (working[e.kind] and e.iteration)
    end
  end
end

local function stalls_of(rows, list, cycles)
  local at, out = {}, {}
  local function add(row, e, reason, n, by)
    local key = ("%d:%s:%d:%s:%s"):format(row, e.file, e.line, reason, by or "")
    local s = at[key]
    if not s then
      s = {row = rows[row].name, file = e.file, line = e.line, reason = reason, by = by,
        cycles = 0, times = 0}
      at[key], out[#out + 1] = s, s
    end
    s.cycles, s.times = s.cycles + n, s.times + 1
  end
  for _, e in ipairs(list) do
    local why, n = waiting(e)
    for i = e.rows[1] or 1, why and why ~= "matrix" and n > 0 and e.rows[2] or 0 do
      if not rows[i].idle then
        add(i, e, why, n, e.by)
      end
    end
  end
  for _, s in ipairs(out) do
    s.share = cycles > 0 and s.cycles / cycles or 0
  end
  table.sort(out, function(a, b)
    if a.cycles ~= b.cycles then
      return a.cycles > b.cycles
    elseif a.line ~= b.line then
      return a.line < b.line
    end
    return a.row .. a.reason < b.row .. b.reason
  end)
  return out
end

local strong = {compute = 1, load = 2, store = 3, arrive = 1, wait = 1, barrier = 2, copy = 4,
  matrix = 5}

-- By line: cycles of the row that spends most there.
local function lines_of(rows, list)
  local at, out = {}, {}
  for _, e in ipairs(list) do
    local key = ("%s:%d"):format(e.file, e.line)
    local l = at[key]
    if not l then
      local text = e.file and diag.source(e.file, e.line)
      l = {file = e.file, line = e.line, text = text and text:match "^%s*(.-)%s*$",
        what = e.kind, each = {}, waited = {}, rounds = {}}
      at[key], out[#out + 1] = l, l
    end
    l.bytes = (l.bytes or 0) + (e.kind == "flight" and e.bytes or 0)
    l.flops = (l.flops or 0) + (e.kind == "product" and e.flops or 0)
    for i = e.rows[1] or 1, not order[e.kind] and e.rows[2] or 0 do
      l.each[i] = (l.each[i] or 0) + e.to - e.from
      local why, n = waiting(e)
      l.waited[i] = (l.waited[i] or 0) + (why and why ~= "matrix" and n or 0)
      l.rounds[i] = (l.rounds[i] or 0) + (e.kind ~= "arrive" and 1 or 0)
    end
    if (strong[e.kind] or 0) > (strong[l.what] or 0) then
      l.what = e.kind
    end
  end
  for _, l in ipairs(out) do
    l.cycles, l.stall, l.times = 0, 0, 0
    for i in ipairs(rows) do
      if (l.each[i] or 0) > l.cycles then
        l.cycles, l.stall = l.each[i], l.waited[i]
      end
      l.times = math.max(l.times, l.rounds[i] or 0)
    end
    l.each, l.waited, l.rounds = nil, nil, nil
  end
  table.sort(out, function(a, b)
    return (a.file or "") < (b.file or "") or a.file == b.file and a.line < b.line
  end)
  return out
end

-- The steady state ----------------------------------------------------------------------------

-- By iteration: when it begins (its first event), and everything in it as text, from there.
local function rounds_of(list)
  local rounds = {}
  for _, e in ipairs(list) do
    if e.iteration then
      local r = rounds[e.iteration] or {from = e.from, parts = {}, outer = e.outer}
      rounds[e.iteration] = r
      if r.outer ~= e.outer then
        return nil -- the loop runs several times: no one sequence of rounds
      end
      r.from = math.min(r.from, e.from)
      r.parts[#r.parts + 1] = e
    end
  end
  for _, r in pairs(rounds) do
    local text = {}
    for i, e in ipairs(r.parts) do
      text[i] = ("%s %d %d %d %d %d %s"):format(e.letter, e.from - r.from, e.to - r.from, e.line,
        e.w0, e.w1, e.reason or "")
    end
    table.sort(text)
    r.text, r.parts = table.concat(text, "\n"), nil
  end
  return rounds
end

local MostRounds = 4 -- iterations that repeat together

-- Part of the steady cycles that the matrix units are taken.
local function steady_busy(list, s)
  local sum = 0
  for _, e in ipairs(list) do
    local k = e.iteration
    local inside = e.kind == "product" and k and k >= s.from and k < s.from + s.rounds
    sum = sum + (inside and e.busy or 0)
  end
  return sum / 4 / s.cycles
end

-- The longest run of iterations that repeat exactly, and how many of them at a time.
local function steady_of(list, loop)
  local rounds = loop and loop.first and rounds_of(list)
  local best
  for n = 1, rounds and MostRounds or 0 do
    local from, cycles
    for i = loop.first + n, loop.last + 1 do
      local a, b = rounds[i - n], rounds[i]
      local step = a and b and a.text == b.text and b.from - a.from
      if from and step ~= cycles then
        local to = i - 1
        if to - from + 1 >= 2 * n + 1 and (not best or to - from > best.to - best.from) then
          best = {from = from, to = to, rounds = n, cycles = cycles}
        end
        from = nil
      end
      if step and not from then
        from, cycles = i - n, step
      end
    end
  end
  if best then
    best.matrix = steady_busy(list, best)
  end
  return best
end

-- The whole -----------------------------------------------------------------------------------

-- Only events of these iterations.
local function within(list, range)
  local r = {}
  for _, e in ipairs(list) do
    if e.iteration and e.iteration >= range[1] and e.iteration <= range[2] then
      r[#r + 1] = e
    end
  end
  return r
end

local function analyse(raw, o)
  local cta = 0
  for n, b in pairs(raw.ctas) do
    if b[1] == o.block[1] and b[2] == o.block[2] and b[3] == o.block[3] then
      cta = n
    end
  end
  local list = events_of(raw, cta)
  local rows, loop = rows_of(raw, list), main_loop(list)
  set_iterations(list, loop)
  local cycles = raw.ends[cta] or 0
  local r = {machine = raw.machine, card = raw.card, grid = raw.grid, blocks = raw.blocks,
    threads = raw.threads, warp = raw.warp, alone = raw.alone, cut = raw.cut,
    assumed = raw.assumed or raw.guessed, cycles = cycles, rows = rows, loop = loop,
    us = raw.ghz and cycles / raw.ghz * 1e-3, busy = {}}
  for unit, n in pairs(raw.units[cta] or {}) do
    r.busy[unit] = cycles > 0 and n / cycles or 0
  end
  for _, e in ipairs(list) do
    place(rows, e)
    e.loops, e.at, e.cta = nil, nil, nil
  end
  r.steady = not raw.cut and steady_of(list, loop) or nil
  add_waits(rows, list)
  r.stalls = stalls_of(rows, list, cycles)
  r.lines = lines_of(rows, list)
  r.events = o.iterations and within(list, o.iterations) or list
  return r
end

function M.trace(k, opts)
  local o = {}
  for key, v in pairs(options("kernel:trace", opts, known)) do
    o[key] = v
  end
  check_options(o)
  local b = o.block or {}
  o.block = {b[1] or 0, b[2] or 0, b[3] or 0}
  local base = device.simulator(o.target and device.resolve(o.target) or k.spec)
  local last = kernel.last.kernel
  local _ <close> = setmetatable({}, {__close = function() kernel.last.kernel = last end})
  local sim = k:retarget(("%s -trace=%d,%d,%d,%d"):format(base, o.block[1], o.block[2], o.block[3],
    (o.launch or 1) - 1))
  local values, how = inputs_of(k, o)
  if device.emit then -- kernels are only written
    sim:bound(values)
    return setmetatable({kernel = k.name, target = base, block = o.block, launch = o.launch or 1,
      machine = base, grid = {1, 1, 1}, blocks = 1, threads = 0, warp = 1, alone = true,
      inputs = how, cycles = 0, busy = {}, rows = {}, events = {}, stalls = {}, lines = {}}, Result)
  end
  local raw, err = record(sim, values, o.keep)
  local r = analyse(raw, o)
  r.kernel, r.target, r.block, r.launch = k.name, base, o.block, o.launch or 1
  r.inputs, r.error = how, err
  return setmetatable(r, Result)
end

-- Text and JSON: tl/tracetext.lua -----------------------------------------------------------

function Result:__tostring()
  return require("moontile.tl.tracetext").text(self)
end

function Result:json()
  local t = {}
  for key, v in pairs(self) do
    t[key] = key == "error" and tostring(v) or v
  end
  return json.public(t) .. "\n"
end

accept.methods(Result, {what = "trace:", self = {Result, "a trace"}}, {})

return M
