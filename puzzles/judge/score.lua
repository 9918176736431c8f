-- judge/score.lua: how good a right kernel is: bytes moved, bank conflicts, and on a GPU its
-- time, each beside the reference solution's and the least possible.
--
-- Stars: one for a right kernel; one for moving no more bytes than 1.1 times the reference
-- solution and having no more waves of shared memory; one, on GPUs, for a time within 1.25
-- of the reference solution's, both measured in turn.

local cases = require "moontile.puzzles.judge.cases"
local compare = require "moontile.puzzles.judge.compare"
local device = require "moontile.tl.device"
local diag = require "moontile.diag"
local ir = require "moontile.ir"
local measure = require "moontile.puzzles.judge.facts"
local run = require "moontile.puzzles.judge.run"
local sandbox = require "moontile.puzzles.judge.sandbox"
local stats = require "moontile.tl.stats"

local M = {}

local Bytes, Time = 1.1, 1.25 -- times the reference solution's
local Waves = 2               -- more than that, too: small kernels have a handful of them
local Runs, Rounds = 20, 5    -- timed launches of a round; rounds, the two kernels in turn

-- Solutions that were traced, by puzzle, part and sizes: they never change.
local solutions = setmetatable({}, {__mode = "k"})

-- The IR of the reference solution for a case.
local function solution(ctx, case)
  local p = ctx.p
  local known = solutions[p]
  if not known then
    known = {}
    solutions[p] = known
  end
  local key = ctx.part.name .. ": " .. cases.text(case.size) .. " " .. case.stage .. " " .. ctx.target
  if not known[key] then
    local text = p.read "solution.lua" or diag.fail("puzzle_file", p.folder, "solution.lua")
    local r, why = sandbox.evaluate {text = text, chunk = "@" .. p.folder .. "/solution.lua",
      traces = {cases.trace(p, ctx.part, case)}, target = device.simulator(ctx.target),
      lang = diag.lang()}
    local e = not r and why or r.error or r.results[1].error
    if e then
      diag.fail("puzzle_lua", p.folder .. "/solution.lua", e.text or e.detail or e.reason)
    end
    known[key] = r.results[1].ir
  end
  return known[key]
end

-- Facts of the learner's kernel for a case; see judge/facts.lua.
function M.facts(ctx, case)
  local sim = device.simulator(ctx.target)
  return measure.of(ctx.p, ctx.part, run.kernel(case.ir, sim), case.size)
end

-- Time ---------------------------------------------------------------------------------------

-- Median milliseconds of the two kernels, measured in turn.
local function times(a, b, values)
  local own, theirs = {}, {}
  for _ = 1, Rounds do
    own[#own + 1] = stats.median(a:time(values, {warmup = 3, times = Runs}))
    theirs[#theirs + 1] = stats.median(b:time(values, {warmup = 3, times = Runs}))
  end
  return stats.median(own), stats.median(theirs)
end

-- Do two kernels agree on large inputs?  The solution's results stand for the reference's.
local function agree(part, a, b)
  for i, output in ipairs(part.outputs) do
    local u = compare.half_ulp(output.dtype)
    local want = b.outs[i]:to "float64"
    local top = 0
    if want:numel() > 0 then
      top = math.max(math.abs(want:max()), math.abs(want:min()))
    end
    local found = require("moontile.ref").compare(a.outs[i], want, 8 * u, 64 * u * top)
    if found.bad > 0 then
      return false
    end
  end
  return true
end

-- {ms, reference_ms, roof_ms, size}; nil: this target has no clock of its own.
local function timing(ctx)
  local part = ctx.part
  if not part.large or device.on(ctx.target):match "^%S+" == "cpu" or not ir.completes(ctx.target) then
    return nil
  end
  local case = {stage = "large", size = part.large, seed = 1, number = 0}
  local trace = cases.trace(ctx.p, part, case)
  local r = sandbox.evaluate {text = ctx.text, chunk = ctx.chunk, traces = {trace},
    target = device.simulator(ctx.target), lang = diag.lang()}
  case.ir = r and not r.error and r.results[1].ir
  if not case.ir then
    return {failed = true, size = part.large}
  end
  local a, b = run.kernel(case.ir, ctx.target), run.kernel(solution(ctx, case), ctx.target)
  local values = cases.inputs(ctx.p, part, case)
  local x, y = run.launch(a, values), run.launch(b, values)
  if x.error or y.error or not agree(part, x, y) then
    return {failed = true, size = part.large}
  end
  local own, theirs = times(a, b, values)
  local f = measure.of(ctx.p, part, a, part.large)
  return {ms = own, reference_ms = theirs, roof_ms = f.bound_ms, size = part.large}
end

-- Score --------------------------------------------------------------------------------------

-- {part, bytes, least, reference_bytes, waves, ideal_waves, reference_waves, ways, lean,
--  time = timing() | nil, fast, outcome}
function M.of(ctx)
  local case = ctx.cases[1]
  local f = M.facts(ctx, case)
  local sim = device.simulator(ctx.target)
  local s = measure.of(ctx.p, ctx.part, run.kernel(solution(ctx, case), sim), case.size)
  local r = {part = ctx.part.name, size = case.size, bytes = f.bytes, least = f.least,
    reference_bytes = s.bytes, waves = f.waves, ideal_waves = f.ideal_waves, reference_waves = s.waves,
    ways = f.ways, shared = f.shared, threads = f.threads, outcome = "ok"}
  r.lean = ctx.part.stars == false or f.bytes <= Bytes * s.bytes and
    f.waves <= Bytes * s.waves + Waves
  r.time = timing(ctx)
  if r.time then
    r.fast = not r.time.failed and r.time.ms <= Time * r.time.reference_ms
    r.outcome = r.fast and "ok" or "slow"
  end
  return r
end

-- Fills in v.stars and v.stars_of; a puzzle has the stars that all its parts have.
function M.stars(v)
  local lean, fast, timed = true, true, false
  for _, s in ipairs(v.score) do
    lean = lean and s.lean
    timed = timed or s.time ~= nil
    fast = fast and (s.time == nil or s.fast)
  end
  v.stars_of = timed and 3 or 2
  v.stars = v.ok and 1 + (lean and 1 or 0) + (timed and fast and 1 or 0) or 0
end

return M
