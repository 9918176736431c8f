-- tl/tune/cost.lua: how long a kernel should take on a card, from the facts of
-- k:analyze: a model, for choosing between configurations and for saying what binds.
--
-- A block's work has four rates on its multiprocessor (matrix units, arithmetic,
-- shared memory, the way from the L2), in clocks; the blocks that share a
-- multiprocessor share those.  One block alone is no faster than its chain: a load is
-- under way for a latency and its transfer, of which a pipeline overlaps one less than it
-- has stages, and its beginning and end overlap with nothing of its own.  Waves of blocks
-- make the grid, and no grid is faster than its bytes from memory.

local ir = require "moontile.ir"

local M = {}

local shared_rate = 128  -- bytes a clock a multiprocessor
local barrier = 40       -- clocks
local register_file = 65536
local overlap = 8        -- exponent of the norm that several rates are joined by
local in_turn = 0.7      -- part of the arithmetic that no product runs beside

-- Sums over what a launch does --------------------------------------------------------

local function accesses(l, space, dir)
  local n = 0
  for _, r in ipairs(l.access) do
    if r.space == space and (not dir or r.dir == dir) and r.all then
      n = n + r.all
    end
  end
  return n
end

local function buffer_bytes(l, pattern)
  local n = 0
  for _, b in ipairs(l.buffers) do
    if b.name:find(pattern) then
      n = n + b.bytes
    end
  end
  return n
end

local function has(l, pattern)
  for _, o in ipairs(l.ops) do
    if o.name:find(pattern) then
      return true
    end
  end
  return false
end

-- Bytes that warp groups' products fetch from shared memory themselves, and the columns
-- of one; A and B are read by each product once.
local function fetched(l)
  local times, k, bits = 0, 0, 16
  for _, o in ipairs(l.ops) do
    local depth = o.name:match "^wgmma%.m64k(%d+)"
    if depth and o.times then
      times, k = times + o.times, tonumber(depth)
      bits = 256 / k
    end
  end
  if times == 0 or l.mma_flops == 0 then
    return 0, nil
  end
  local n = l.mma_flops / (2 * 64 * k * times)
  return times * (64 + n) * k * bits / 8, n
end

-- Part of the peak that the chosen matrix instruction can reach.
local function efficiency(l, t, n, resident)
  if not has(l, "mma") then
    return 1
  elseif n then -- wgmma
    return t.matrix * (n >= 64 and 1 or math.max(n / 64, 0.3))
  end
  local warps = math.min(1, resident * l.warps / 8) -- two a scheduler hide each other
  return t.warp * math.max(warps, 0.4)
end

-- Registers ----------------------------------------------------------------------------

-- How many blocks fit, and by how much a thread has too few registers (1: it has
-- enough).  Roles move registers from the producers to the others.
local function residency(l, limit)
  local per = l.per
  local fit = math.min(per.threads, per["shared memory"], per.blocks)
  if fit < 1 then
    return 0, 1
  end
  local mine, file = l.threads, register_file
  if has(l, "tma_load") and has(l, "wgmma") and l.threads >= 256 then
    mine, file = l.threads - 128, file - 128 * 24
  end
  local most = math.min(limit, file // mine // 8 * 8)
  local lack = l.registers / most
  if per.registers < fit then
    fit = math.max(1, per.registers)
  end
  return fit, lack > 1 and 1 + 3 * (lack - 1) or 1
end

-- Launches -----------------------------------------------------------------------------

-- A block's part of a total; where all blocks run at once the longest one, which is
-- mostly the first, says when they are done.
local function part(l, total, first, resident, sms)
  if not total or not l.blocks or l.blocks == 0 then
    return first
  end
  local each = total / l.blocks
  return l.blocks <= resident * sms and math.max(each, first) or each
end

-- Clocks that one block spends on each, alone on its multiprocessor.
local function rates(l, card, t, resident)
  local hz = card.ghz * 1e9
  local share = part(l, l.total_bytes, l.bytes, resident, card.sms)
  local flops = part(l, l.total_flops, l.flops, resident, card.sms)
  local matrix = l.flops > 0 and flops * l.mma_flops / l.flops or 0
  local read, n = fetched(l)
  local peak = (l.peak or card.f32) * 1e12 / (card.sms * hz)
  local simple = card.f32 * 1e12 / (card.sms * hz)
  local stored = accesses(l, "global", "write") * 32 + buffer_bytes(l, "_box$")
  local filled = has(l, "tma_load") and math.max(0, share - stored) or 0
  return {
    matrix = matrix > 0 and matrix / (peak * efficiency(l, t, n, resident)) or 0,
    arithmetic = (flops - matrix) / simple * 1.6, -- addresses, loops, conversions
    shared = accesses(l, "shared") + (read + filled + buffer_bytes(l, "_box$")) / shared_rate,
    l2 = share / t.l2,
  }, share, stored
end

local names = {"matrix", "arithmetic", "shared", "l2"}

-- The name of what takes longest, and the clocks of all together: they overlap, but the
-- nearer they are to each other the less perfectly.  Arithmetic between products waits
-- for them and they for it.
local function together(r)
  local best, sum = names[1], 0
  for _, k in ipairs(names) do
    if r[k] > r[best] then
      best = k
    end
    local wait = k == "matrix" and r.matrix > 0 and in_turn * r.arithmetic or 0
    sum = sum + (r[k] + wait) ^ overlap
  end
  return best, sum ^ (1 / overlap)
end

-- Clocks of a block that runs alone, whose rates are r.
local function chain(l, r, share, stored, stages, t)
  local _, most = together(r)
  local finish = stored / t.l2 + (stored > 0 and t.latency / 2 or 0)
  local tiles = l.shared - buffer_bytes(l, "_box$") - buffer_bytes(l, "_ring_")
  local loads = math.max(0, share - stored)
  if l.shared == 0 or tiles <= 0 then -- threads load for themselves
    local lane = 4
    for _, a in ipairs(l.access) do
      if a.space == "global" and a.dir == "read" then
        lane = math.max(lane, a.bytes)
      end
    end
    return math.max(most, share * t.latency / (l.threads * lane * 2)) + t.latency
  elseif stages < 2 then -- load, wait, compute, and again
    local steps = math.max(1, loads / tiles)
    return r.matrix + r.arithmetic + r.shared + r.l2 + steps * (t.latency + 2 * barrier) + finish
  end
  local steps = loads / (tiles / stages)
  local waits = (loads / t.l2 + steps * t.latency) / (stages - 1)
  return math.max(most + steps * barrier, waits) + t.latency + finish
end

-- -> milliseconds and what binds, or nil and why it cannot run
local function launch(l, a, t, stages)
  local card = a.card
  local resident, lack = residency(l, a.register_limit)
  if resident < 1 then
    return nil, l.limit
  end
  local r, share, stored = rates(l, card, t, resident)
  local alone = chain(l, r, share, stored, stages, t) * lack
  local bound, each = together(r)
  each = each * lack
  local blocks = l.blocks or card.sms
  local waves = blocks / (card.sms * resident)
  local whole = math.floor(waves + 1e-9)
  local left = math.ceil((blocks - whole * card.sms * resident) / card.sms - 1e-9)
  local clocks = whole * math.max(resident * each, alone)
  if left > 0 then
    clocks = clocks + math.max(left * each, alone)
  end
  local ms = clocks / (card.ghz * 1e6)
  local once = l.once_bytes or share * blocks
  local missed = math.max(0, share * blocks - once) * t.miss
  local memory = (once + missed) / (card.gbs * t.memory * 1e6)
  local parts = {memory = memory}
  for _, k in ipairs(names) do
    parts[k] = r[k] * blocks / card.sms / (card.ghz * 1e6)
  end
  if memory >= ms then
    ms, bound = memory, "memory"
  elseif alone > resident * each * 1.1 then
    bound = "latency"
  elseif whole > 0 and left > 0 and waves / (whole + 1) < 0.85 then
    bound = "waves"
  elseif whole == 0 then
    bound = "grid"
  end
  return {ms = ms, bound = bound, parts = parts, waves = waves, blocks = blocks,
    full = waves / math.ceil(waves - 1e-9), resident = resident, threads = l.threads,
    spills = lack > 1, launch = t.launch * 1e-3}
end

-- Lines ------------------------------------------------------------------------------

-- Adds clocks that a line spends on a resource.
local function spend(all, row, resource, clocks)
  if clocks <= 0 then
    return
  end
  local key = ("%s:%d:%s"):format(row.file or "", row.line or 0, resource)
  local e = all[key]
  if not e then
    e = {line = row.line, file = row.file, resource = resource, clocks = 0}
    all[key] = e
    all[#all + 1] = e
  end
  e.clocks = e.clocks + clocks
end

-- Of each line, what it spends on each rate of a block alone on its multiprocessor; an access whose
-- addresses depend on data is taken for the worst: each lane a sector, or a wavefront, of its own.
local function spent(l, card, t, n, resident)
  local all = {}
  local hz = card.ghz * 1e9
  local peak = (l.peak or card.f32) * 1e12 / (card.sms * hz) * efficiency(l, t, n, resident)
  local simple = card.f32 * 1e12 / (card.sms * hz)
  for _, o in ipairs(l.ops) do
    spend(all, o, "matrix", o.flops / peak)
    spend(all, o, "l2", o.bytes / t.l2)
  end
  for _, w in ipairs(l.work) do
    spend(all, w, "arithmetic", w.flops / simple * 1.6)
  end
  for _, r in ipairs(l.access) do
    local units = r.fixed and r.all or (r.times or 0) * math.min(l.warp_size, r.active)
    if r.space == "global" then
      spend(all, r, "l2", units * 32 / t.l2)
    else
      spend(all, r, "shared", units)
    end
  end
  return all
end

-- What a launch spends most on, the most first: {{line, file, resource, share}, ..}; resource: matrix, arithmetic,
-- shared, l2, memory (each byte of it moved once) or latency (waiting for loads).  share: of the time of the launch, by
-- the model; they overlap, so that together they may be more than all of it.  l: a launch, with what it shares with
-- others (explain.joined); nil: nothing is known of the card.
function M.expenses(l, stages)
  local card, t = l.card, l.timing
  if not card or not t or card.ghz == 0 or card.f32 == 0 or t.l2 == 0 then
    return nil
  end
  local resident, lack = residency(l, l.register_limit)
  if resident < 1 then
    return nil
  end
  local _, n = fetched(l)
  local all = spent(l, card, t, n, resident)
  local r, share, stored = rates(l, card, t, resident)
  local bound, each = together(r)
  local alone = chain(l, r, share, stored, stages, t) * lack / resident
  local whole = math.max(each * lack, alone)
  if l.blocks and l.once_bytes then -- of each block's part of the memory's time
    local memory = l.once_bytes / (card.gbs * t.memory * 1e9) * card.ghz * 1e9 * card.sms / l.blocks
    local bytes = 0
    for _, e in ipairs(all) do
      bytes = bytes + (e.resource == "l2" and e.clocks or 0)
    end
    for _, e in ipairs(memory > each * lack and all or {}) do
      if e.resource == "l2" then
        e.resource, e.clocks = "memory", memory * e.clocks / bytes
      end
    end
    whole = math.max(whole, memory)
  end
  local function by_clocks(a, b)
    if a.clocks ~= b.clocks then return a.clocks > b.clocks end
    return (a.line or 0) < (b.line or 0)
  end
  table.sort(all, by_clocks)
  if alone > 1.1 * each * lack and whole == alone then
    for _, e in ipairs(all) do -- whoever loads most is waited for
      if e.resource == "l2" or e.resource == "memory" then
        all[#all + 1] = {line = e.line, file = e.file, resource = "latency", clocks = whole - r[bound]}
        break
      end
    end
    table.sort(all, by_clocks)
  end
  for _, e in ipairs(all) do
    e.share = math.min(1, e.clocks / whole)
    e.clocks = nil
  end
  return all
end

-- Programs ---------------------------------------------------------------------------

-- How deep a kernel's pipelines are on this machine: what it says, or fewer where the
-- passes said so.
function M.stages(k, a)
  local n
  for s in ir.text(k.P):gmatch " stages=(%d+)" do
    n = math.max(n or 0, tonumber(s))
  end
  for _, note in ipairs(a.notes) do
    local less = note.en.title:match "num_stages=(%d+) instead of"
    if less and n then
      n = math.min(n, tonumber(less))
    end
  end
  return n or 1
end

-- a: what k:analyze gives, with sizes that are known.  -> a table: ms (with the
-- launches), bound (of the longest launch: matrix, arithmetic, shared, l2, memory,
-- latency, waves, grid), parts (each bound alone in ms), waves, full (part of the last
-- wave's places that are taken, over all), resident, spills.  nil and why where it
-- cannot run or nothing is known.
function M.predict(a, stages)
  if not a.card or not a.card.ghz or a.card.ghz == 0 or a.card.f32 == 0 then
    return nil, "card"
  end
  local t = a.timing
  local total, longest = 0, nil
  for _, l in ipairs(a.launches) do
    if not l.blocks or not l.counted then
      return nil, "sizes"
    end
    local p, why = launch(l, a, t, stages)
    if not p then
      return nil, why
    end
    total = total + p.ms + p.launch
    if not longest or p.ms > longest.ms then
      longest = p
    end
  end
  if not longest then
    return nil, "launches"
  end
  longest.ms = total
  return longest
end

return M
