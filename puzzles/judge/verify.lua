-- judge/verify.lua: `moontile puzzles verify`: does a course keep its promises?
--
--   verify.run {names = {"row-sum"}, from = folder, target = "cuda", seeds = 1000,
--               update = true, quick = true, write = function(text)}  -> exit status 0 or 1
--
-- For every puzzle: its files in both languages, headings, hints, links; pictures and
-- excerpts of generated code as the program makes them now (update: written anew); the
-- starter runs and fails; the solution passes in the simulator with 32 and 64 lanes, on
-- the cpu, on `target` and on a GPU where there is one, all stars, below Share of the limits;
-- every wrong solution is rejected for its reason; answers that are all 0, twice or half
-- of what they should be pass for none of `seeds` seeds.  quick: the cpu alone.

local cases = require "moontile.puzzles.judge.cases"
local compare = require "moontile.puzzles.judge.compare"
local diag = require "moontile.diag"
local device = require "moontile.tl.device"
local docs = require "moontile.puzzles.judge.docs"
local judge = require "moontile.puzzles.judge"
local puzzle = require "moontile.puzzles.judge.puzzle"
local tensors = require "moontile.tl.tensor"
local wrongs = require "moontile.puzzles.judge.wrongs"

local M = {}

local Seed = 20477  -- of the checks that must come out the same each time
local Share = 0.75  -- of the limit that a solution may take
local Least = 6     -- wrong solutions of a puzzle

-- Targets on which solutions must pass.
local function targets(o)
  if o.quick then
    return {o.target or "cpu"}
  end
  local list = {"sim", "sim -warp=64", "cpu"}
  if o.target then
    list[#list + 1] = o.target
  end
  for _, d in ipairs(device.devices()) do
    if d.present and d.name ~= "cpu" and d.name ~= "sim" and not o.target then
      list[#list + 1] = d.name
    end
  end
  return list
end

-- What a verdict says, in one line.
local function short(v)
  local words = {}
  for tag in pairs(v.tags) do
    words[#words + 1] = tag
  end
  table.sort(words)
  local e = v.error and "\n" .. v.error.text:gsub("\n+$", "") or ""
  return ("%s (%s): %s%s"):format(v.outcome, table.concat(words, " "), v.sentence.en, e)
end

-- Starters, solutions ------------------------------------------------------------------------

local function check_starter(p, complain, o)
  local text = p.read "starter.lua"
  if not text then
    return complain("starter.lua is missing")
  end
  local v = judge.judge(p, {text = text, chunk = "@" .. p.folder .. "/starter.lua", seed = Seed,
    hidden = false, target = o.starter or "sim"})
  if v.ok then
    complain("the starter passes")
  elseif v.outcome == "compile" or v.outcome == "trouble" or v.outcome == "hang" then
    complain("the starter does not run: " .. short(v))
  end
  for i, part in ipairs(p.parts) do
    local ok = v.parts[i].ok
    if part.given and not ok then
      complain(("the given part %s of the starter fails: %s"):format(part.name, short(v)))
    elseif not part.given then
      break
    end
  end
end

local function check_solution(p, complain, o, note)
  local text = p.read "solution.lua"
  if not text then
    return complain("solution.lua is missing")
  end
  local worst = 0
  for _, target in ipairs(targets(o)) do
    local v = judge.judge(p, {text = text, chunk = "@" .. p.folder .. "/solution.lua",
      seed = Seed, target = target})
    if not v.ok then
      complain(("the solution fails on %s: %s"):format(target, short(v)))
    elseif v.stars < v.stars_of and v.outcome ~= "slow" then
      complain(("the solution has %d of %d stars on %s"):format(v.stars, v.stars_of, target))
    end
    worst = math.max(worst, v.worst or 0)
  end
  if worst > Share then
    complain(("the solution takes %.2f of its limit; at most %.2f is left to it"):format(worst,
      Share))
  end
  note.worst = worst
end

-- Wrong solutions ------------------------------------------------------------------------------

-- The target that a wrong solution asks for: of somebody else's puzzle a plain one, without
-- addresses, paths and programs in it.
local function target_of(p, w)
  local target = w.target or "sim"
  if not p.foreign or target == "cpu" or target == "sim" or target:find "^sim %-warp=%d%d$" or
    target:find "^sim %-arch=[%w_]+$" then
    return target
  end
end

local function check_wrong(p, w, complain)
  local function wrong(text, ...)
    complain(("wrong/%s" .. text):format(w.file, ...))
  end
  if not w.expect then
    return wrong " does not say `expect: ...`"
  elseif w.part and not puzzle.part(p, w.part) then
    return wrong(": there is no part %s", w.part)
  elseif not w.text then
    return wrong(": %s", w.why)
  end
  local target = target_of(p, w)
  if not target then
    return wrong ": only the simulator and the cpu may be its target"
  end
  local v = judge.judge(p, {text = w.text, chunk = "@" .. p.folder .. "/wrong/" .. w.file, seed = Seed,
    part = w.part, target = target})
  if v.ok then
    return wrong " passes"
  end
  local i = 0
  for word in w.expect:gmatch "%S+" do
    i = i + 1
    if not (i == 1 and v.outcome == word or i > 1 and v.tags[word]) then
      return wrong(" is rejected, but not as `%s`: %s", w.expect, short(v))
    end
  end
  if v.outcome ~= "trouble" and not v.hint then
    wrong " gets no hint"
  end
end

local function check_wrongs(p, complain, note)
  local list, each = wrongs.list(p), {}
  for _, w in ipairs(list) do
    each[w.part or ""] = (each[w.part or ""] or 0) + 1
    check_wrong(p, w, complain)
  end
  note.wrong = #list
  for _, part in ipairs(#p.parts > 1 and p.parts or {}) do
    local n = (each[part.name] or 0) + (each[""] or 0)
    if not part.given and n < Least // 2 then
      complain(("%d wrong solutions of part %s; %d are the least"):format(n, part.name, Least // 2))
    end
  end
  if #list < Least then
    complain(("%d wrong solutions; %d are the least"):format(#list, Least))
  end
end

-- Answers that need no kernel --------------------------------------------------------------------

-- What somebody might return without computing: by name, from what is wanted.
local answers = {
  {"all 0", function(e) return tensors.zeros(e.want.shape, "float64") end},
  {"twice the answer", function(e) return e.want * 2 end},
  {"half the answer", function(e) return e.want * 0.5 end},
}

-- Is the answer taken for right in this case?
local function passes(list, f)
  for _, e in ipairs(list) do
    if compare.judge(e, f(e):to(e.dtype):contiguous()) then
      return false
    end
  end
  return true
end

-- Cases with the smallest sizes first: most answers fail there already.
local function cheapest_first(list)
  local work = {}
  for _, case in ipairs(list) do
    local n = case.stage == "visible" and 1e15 or 1 -- those are the same for all seeds
    for _, v in pairs(case.size) do
      n = n * v
    end
    work[case] = n
  end
  table.sort(list, function(a, b)
    return work[a] < work[b] or work[a] == work[b] and a.number < b.number
  end)
  return list
end

-- Of each answer: the first seed for which it passes all cases of a part.
local function check_seeds(p, part, seeds, complain)
  local left = table.move(answers, 1, #answers, 1, {})
  for seed = 1, seeds do
    local known = {}
    local list = cheapest_first(cases.list(p, part, {seed = seed, hidden = true}))
    for i = #left, 1, -1 do
      local right = true
      for n = 1, #list do
        if right then
          if not known[n] then
            local _, x = cases.inputs(p, part, list[n])
            known[n] = compare.expected(p, part, list[n], x)
          end
          right = passes(known[n], left[i][2])
        end
      end
      if right then
        complain(("%s passes %s with seed %d"):format(left[i][1], part.name, seed))
        table.remove(left, i)
      end
    end
  end
end

-- The whole --------------------------------------------------------------------------------------

-- Complaints about one puzzle, and what is worth knowing of it.
function M.puzzle(p, o)
  local list, note = {}, {}
  local function complain(text)
    list[#list + 1] = text
  end
  docs.check(p, complain, o.update)
  check_starter(p, complain, o)
  check_solution(p, complain, o, note)
  check_wrongs(p, complain, note)
  for _, part in ipairs(p.parts) do
    check_seeds(p, part, o.seeds or 5, complain)
  end
  return list, note
end

-- The puzzles that were asked for; a name that none has raises.
local function chosen(o)
  local course = puzzle.course(o.from, o.names)
  for _, name in ipairs(o.names or {}) do
    puzzle.find(course, name)
  end
  return course.puzzles
end

function M.run(o)
  local write = o.write or function(s) io.stdout:write(s) end
  local bad = 0
  for _, p in ipairs(chosen(o)) do
    local ok, list, note = pcall(M.puzzle, p, o)
    if not ok and diag.isdiag(list) and list.id == "stopped" then
      error(list, 0)
    elseif not ok then
      list, note = {tostring(list)}, {}
    end
    write(("%-4s %-22s"):format(#list == 0 and "ok" or "BAD", p.folder) .. (note.wrong and
      ("%d %s, %d wrong solutions rejected\n"):format(#p.parts, #p.parts == 1 and "part" or "parts",
        note.wrong) or "\n"))
    for _, text in ipairs(list) do
      write("     " .. text:gsub("\n", "\n       ") .. "\n")
      bad = bad + 1
    end
  end
  return bad == 0 and 0 or 1
end

return M
