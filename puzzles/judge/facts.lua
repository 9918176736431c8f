-- judge/facts.lua: what a program costs and of what it is made, without running it: for
-- the goals of a puzzle and for the stars.

local cases = require "moontile.puzzles.judge.cases"
local device = require "moontile.tl.device"
local explain = require "moontile.tl.explain"
local irtext = require "moontile.irtext"
local program = require "moontile.puzzles.judge.program"
local types = require "moontile.base.types"

local M = {}

-- Bytes of the tensors of a case: each moved once is the least that any kernel moves.
function M.least(p, part, size)
  local bytes = 0
  for _, list in ipairs {part.inputs, part.outputs} do
    for _, v in ipairs(list) do
      if v.shape then
        local n = 1
        for _, d in ipairs(cases.shape(p, v.shape, size)) do
          n = n * d
        end
        bytes = bytes + (n * types.info(v.dtype).bits + 7) // 8
      end
    end
  end
  return bytes
end

-- Shared and global accesses of one launch added to f.
local function add_accesses(f, launch)
  for _, a in ipairs(launch.access or {}) do
    if a.space == "shared" and a.fixed then
      f.waves = f.waves + (a.all or a.waves or 0)
      f.ideal_waves = f.ideal_waves + (a.all_ideal or a.ideal or 0)
      f.ways = math.max(f.ways, a.ways or 1)
    elseif a.space == "global" and a.fixed then
      f.sectors = f.sectors + (a.all or a.sectors or 0)
      f.ideal_sectors = f.ideal_sectors + (a.all_ideal or a.sector_ideal or 0)
    end
  end
end

-- How many stages of its pipeline are around statement i; nil: it is in no loop.
local function around(p, i)
  local most
  local up = p.statements[i].parent
  while up do
    local s = p.statements[up]
    if s.kind == "for" and s.form ~= "parallel" then
      most = math.max(most or 0, s.stages)
    end
    up = s.parent
  end
  return most
end

-- How far the inputs run ahead that loops bring: the least of all, since a pipeline that brings
-- nothing hides no waiting.
local function ahead(p)
  local inputs, least = program.ask.buffers(p, {scope = "global", param = true}), nil
  for i, s in ipairs(p.statements) do
    local bound = s.kind == "for" or s.kind == "while" or s.kind == "if"
    local stages = not bound and program.ask.among(s.reads, inputs) and around(p, i)
    least = stages and math.min(least or stages, stages) or least
  end
  return least or 0
end

-- Atomic operations that change something, of single elements and of whole tiles.
local function atomics(p)
  local n = #program.ask.find(p, {kind = "op", op = "atomic"})
  for _, s in ipairs(program.ask.find(p, {kind = "atomic"})) do
    n = n + math.min(#s.writes, 1)
  end
  return n
end

local function syncs(p)
  local n = 0
  for _, s in ipairs(program.ask.find(p, {kind = "call"})) do
    n = n + (s.call:find "^sync" and 1 or 0)
  end
  return n
end

-- Bytes that a kernel moves; nil: the turns of a loop are not known.
function M.moved(k)
  local _, a = explain.analyze(k, {dims = next(k.dim_names) and k.dims_last or nil})
  local bytes = 0
  for _, l in ipairs(a.launches) do
    if not (l.counted and l.total_bytes) then
      return nil
    end
    bytes = bytes + l.total_bytes
  end
  return bytes
end

-- How many turns each loop of a program makes whose turns are known, but those that all threads share.  Of the text:
-- compiling takes several turns at once.
function M.turns(text)
  local list = {}
  for _, s in ipairs(program.of((irtext.parse(text, "=ir"))).statements) do
    list[#list + 1] = s.form ~= "parallel" and s.turns or nil
  end
  return list
end

-- k: a kernel of the simulator (or of any target with threads), made for `size`.
-- -> the table that goals see; the list of its fields stands in puzzles/README.md
function M.of(p, part, k, size)
  local _, a = explain.analyze(k, {dims = next(k.dim_names) and k.dims_last or nil})
  local tile, thread = program.of(k.P), program.of(k.P, device.threads(k.spec))
  local f = {least = M.least(p, part, size), bytes = 0, ways = 1, waves = 0, ideal_waves = 0,
    sectors = 0, ideal_sectors = 0, shared = 0, threads = 0, blocks = 0, warp = a.warp_size,
    stages = ahead(tile), atomics = atomics(tile), syncs = syncs(tile), tile = tile,
    thread = thread, size = size, registers = 0, flops = 0, bound_ms = 0}
  for _, l in ipairs(a.launches) do
    f.bytes = f.bytes + (l.total_bytes or 0)
    f.shared = math.max(f.shared, l.shared or 0)
    f.threads = math.max(f.threads, l.threads or 0)
    f.registers = math.max(f.registers, l.registers or 0)
    f.blocks = math.max(f.blocks, l.blocks or 0)
    f.flops = f.flops + (l.total_flops or 0)
    f.bound_ms = f.bound_ms + (l.bound_ms or 0)
    add_accesses(f, l)
  end
  return f
end

return M
