-- judge/growth.lua: does what a kernel does grow with its sizes?
--
--   local found, more = growth.find(ctx)   found: nil, it does; {name =, size =, less =, size_text =} where it does
--                                          not; more: cases (with ir) that are worth a run, for loops of fixed turns
--
-- A count that is a number (a grid, the turns of a loop) is enough for every size up to some size, and
-- there is no end to what a learner may have chosen: no size that is fixed finds all of them.  So two questions:
--
-- For each name of part.beyond the kernel is made for two sizes, the second twice the first and as
-- large as an index reaches, the others tiny; tl/explain counts the bytes that each moves, which have to double
-- (or more, part.grows).  Nothing is run: a count that were enough for these would take hours at any size.
--
-- One of two loops may still be fixed.  A loop that makes c turns even then is run at a size with a multiple of c
-- tiles, which takes not much longer than the kernel takes at any size.
--
-- What cannot be told is not held against anyone: kernels that cannot be made so large are made for smaller
-- sizes, or not at all, and loops whose trips depend on data are not counted.

local cases = require "moontile.puzzles.judge.cases"
local device = require "moontile.tl.device"
local diag = require "moontile.diag"
local facts = require "moontile.puzzles.judge.facts"
local run = require "moontile.puzzles.judge.run"
local sandbox = require "moontile.puzzles.judge.sandbox"

local M = {}

local Elements = {1 << 30, 1 << 22, 1 << 16} -- of the largest tensor; the later ones where that cannot be made
local Share = 0.9 -- of the growth that is due: one of two loops that counts by a number is found
local Turns = 1 << 12 -- of a loop that are told from those that follow from the size
local Times = 4 -- as many tiles as turns: most of the elements are missed, so that it shows
local Largest = 1 << 20 -- elements of a tensor that is run for it
local Limits = {seconds = 2, instructions = 50 * 1000 * 1000} -- of the text, which has run before

-- The two sizes of a name, as cases; nil: there is no room for them.
local function pair(ctx, name, elements, rng)
  local less, more = cases.pair(ctx.p, ctx.part, name, elements, rng)
  return less and {name = name, less = {stage = "hidden", size = less}, more = {stage = "hidden", size = more}}
end

-- The IR of cases' programs into them, as far as the text makes them.
local function evaluate(ctx, list)
  local traces = {}
  for i, case in ipairs(list) do
    traces[i] = cases.trace(ctx.p, ctx.part, case)
  end
  local r, why = sandbox.evaluate {text = ctx.text, chunk = ctx.chunk, traces = traces, before = ctx.before,
    target = device.simulator(ctx.target), lang = diag.lang(), limits = Limits}
  if not r and why.reason == "stopped" then
    diag.fail "stopped"
  end
  for i, case in ipairs(list) do
    case.ir = r and r.results[i] and r.results[i].ir
  end
end

-- The kernel of a case; nil: there is none.
local function made(ctx, case)
  local ok, k = pcall(run.kernel, case.ir, device.simulator(ctx.target))
  if not ok and diag.isdiag(k) and (k.id == "stopped" or k.id == "build_interrupted") then
    error(k, 0)
  end
  return ok and k or nil
end

-- Does the pair show that something does not grow?  nil: it cannot be told.  Second: the most turns that a loop
-- makes whose number is none of the sizes and parameters.
local function stands_still(ctx, p)
  local a = p.less.ir and p.more.ir and made(ctx, p.less)
  local b = a and made(ctx, p.more)
  if not b then
    return nil
  end
  local known = {}
  for _, v in pairs(p.more.size) do
    known[v] = true
  end
  for _, pair_ in ipairs(ctx.part.config or {}) do
    known[pair_[2]] = true
  end
  local turns = 0
  for _, n in ipairs(facts.turns(p.more.ir)) do
    turns = n <= Turns and not known[n] and math.max(turns, n) or turns
  end
  local less, more = facts.moved(a), facts.moved(b)
  if not (less and more) then
    return nil, turns
  end
  return more < Share * less * 2 ^ (ctx.part.grows and ctx.part.grows[p.name] or 1), turns
end

-- A case with more tiles along a name than a loop makes turns; nil: none that is not run anyway.
local function beyond_turns(ctx, name, turns, rng)
  local widest = 1
  for _, pair_ in ipairs(ctx.part.config or {}) do
    widest = math.type(pair_[2]) == "integer" and math.max(widest, pair_[2]) or widest
  end
  local case = cases.single(ctx.part, name, Times * turns * widest, rng)
  if turns > 1 and case.size[name] > ctx.part.beyond[name] and cases.largest(ctx.p, ctx.part, case.size) <= Largest then
    case.seed, case.number = ctx.seed * 64 + 63, #ctx.cases + 1
    return case
  end
end

-- Are the sizes' scalars ours to compute?
local function told(ctx)
  for _, input in ipairs(ctx.p.foreign and ctx.part.inputs or {}) do
    if type(input.value) == "function" then
      return false
    end
  end
  return true
end

-- The cases of `list` that the text makes a program for.
local function worth(ctx, list)
  local r = {}
  if #list > 0 then
    evaluate(ctx, list)
  end
  for _, case in ipairs(list) do
    r[#r + 1] = case.ir and case or nil
  end
  return r
end

-- One round of M.find -> found, names of which nothing is known; cases for turns go into `runs`.
local function round(ctx, names, elements, rng, runs)
  local list, all, left = {}, {}, {}
  for _, name in ipairs(names) do
    local p = pair(ctx, name, elements, rng)
    if p then
      list[#list + 1], all[#all + 1], all[#all + 2] = p, p.less, p.more
    end
  end
  if #all > 0 then
    evaluate(ctx, all)
  end
  for _, p in ipairs(list) do
    local still, turns = stands_still(ctx, p)
    if still then
      return {name = p.name, size = p.more.size, less = p.less.size, size_text = cases.text(p.more.size)}
    end
    left[#left + 1] = turns == nil and p.name or nil
    runs[#runs + 1] = turns and beyond_turns(ctx, p.name, turns, rng)
  end
  return nil, left
end

function M.find(ctx)
  local names, rng, runs = {}, cases.random(ctx.seed + 2), {}
  for name in pairs(told(ctx) and ctx.part.beyond or {}) do
    names[#names + 1] = name
  end
  table.sort(names)
  for _, elements in ipairs(Elements) do
    local found
    found, names = round(ctx, names, elements, rng, runs)
    if found then
      return found
    end
  end
  return nil, worth(ctx, runs)
end

return M
