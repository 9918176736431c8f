-- tl/fault.lua: which line of a kernel a device's fault comes from, and which of its loops
-- one that did not end may have been in.
--
-- A GPU says that memory was accessed wrongly, not where.  The simulator runs
-- the same thread program on the same tensors, as the host last saw them, and
-- says line, block and thread; for a run that would take it too long, it tries
-- the small sizes that k:check() derives.
local diag = require "moontile.diag"
local tensor = require "moontile.tensor"
local W = require "moontile.T.words"

local M = {}

local Seconds = 20 -- for the simulator

-- Errors of a device that the simulator can explain.
local faults = {gpu_illegal_address = true, gpu_misaligned = true, gpu_illegal_instruction = true,
  gpu_trap = true, wave_aborted = true, crash_segv = true, crash_bus = true, crash_abort = true,
  worker_signal = true}

-- Errors of a kernel that was stopped.
local stops = {timeout = true, interrupted = true}
local MostLoops = 3 -- that are shown of it
local Long = 1000000 -- rounds, from which on a loop may be why

local function copies(values)
  local r = {}
  for i, v in ipairs(values) do
    r[i] = tensor.istensor(v) and v:copy() or v
  end
  return r
end

-- The kernel for the simulated machine that it was lowered for.
local function simulated(k)
  local machine = k:ir("thread"):match "machine (%S+)"
  return k:retarget(machine and "sim -arch=" .. machine or "sim")
end

-- What the simulator says of k on these values: "wrong" and its error, "clean",
-- or "slow".
local function rerun(sim, values)
  local session = require("moontile.session").open(sim.target)
  session:limit(Seconds)
  sim.session, sim.module = session, session:load(sim.info.path, sim.name, sim.chunk, nil, sim.asserts)
  sim.own_session = true
  local ok, err = pcall(sim.launch, sim, copies(values), #values, nil, function() end)
  session:close()
  if ok then
    return "clean"
  elseif diag.isdiag(err) and (err.id == "timeout" or err.id == "device_memory") then
    return "slow"
  end
  return "wrong", err
end

-- The error of the first small size at which the kernel is wrong, or nil.
local function smaller(k)
  local ok, r = pcall(function()
    return require("moontile.tl.check").check(k, {target = simulated(k).target}, function() end)
  end)
  for _, run in ipairs(ok and r.runs or {}) do
    if run.verdict == "wrong" and diag.isdiag(run.error) then
      return run.error, run.size
    end
  end
end

local function size_text(size)
  local names = {}
  for name, n in pairs(size or {}) do
    names[#names + 1] = ("%s = %s"):format(name, n)
  end
  table.sort(names)
  return table.concat(names, ", ")
end

local function explain(k, values, err)
  local verdict, found = rerun(simulated(k), values)
  if verdict == "wrong" and diag.isdiag(found) then
    return diag.adopt(diag.note(err, "fault_found", nil, 0, 0, k.name, W"the same tensors"), found)
  elseif verdict == "clean" then
    return diag.note(err, "fault_clean", nil, 0, 0, k.name, W"the same tensors")
  end
  local small, size = smaller(k)
  if small then
    return diag.adopt(diag.note(err, "fault_found", nil, 0, 0, k.name, size_text(size)), small)
  end
  return diag.note(err, "fault_slow", nil, 0, 0, k.name, Seconds)
end

-- Where "file:line:column" or, of a single file, "line:column" stands.
local function place(at, files)
  local n = {}
  for d in at:gmatch "%d+" do
    n[#n + 1] = tonumber(d)
  end
  local file = #files > 1 and table.remove(n, 1) or 1
  return files[file], n[1], n[2] or 0
end

-- The loops of k's text, outer before inner: where, the word, and how many rounds there are
-- inside of all loops around; nil: the run decides.
local function loops(text)
  local list, open, files = {}, {{depth = -1, rounds = 1}}, {}
  for name in text:gmatch '%f[^\n\0]file %d+ "([^\n]*)"' do
    files[#files + 1] = name
  end
  for indent, word, rest, at in text:gmatch "\n( *)(%l+) ([^\n]-) do @([%d:]+)" do
    while #indent <= open[#open].depth do
      open[#open] = nil
    end
    if word == "while" or word == "for" then
      local extents = rest:match "^.- in %l+%(([^()]*)%)"
      local rounds = word == "for" and extents and open[#open].rounds
      for e in (extents or ""):gmatch "[^, ]+" do
        rounds = rounds and math.tointeger(tonumber(e)) and rounds * e
      end
      open[#open + 1] = {depth = #indent, rounds = rounds or open[#open].rounds}
      list[#list + 1] = {at = {place(at, files)}, word = word, rounds = rounds or nil}
    end
  end
  return list
end

-- err of a kernel that was stopped, with the loops that no bound ends; if there are none, with
-- the one that goes round most often.
local function stuck(k, err)
  local list, n, most = loops(k:ir("tile")), 0, nil
  for _, l in ipairs(list) do
    if not l.rounds and n < MostLoops then
      n = n + 1
      diag.note(err, "stuck_open", l.at[1], l.at[2], l.at[3], l.word)
    elseif l.rounds and (not most or l.rounds > most.rounds) then
      most = l
    end
  end
  if n == 0 and most and most.rounds >= Long then
    diag.note(err, "stuck_long", most.at[1], most.at[2], most.at[3], ("%d"):format(most.rounds))
  end
  return err
end

-- err, which a launch of k on these values raised, with what the simulator says
-- where that can help.
function M.explain(k, values, err)
  if diag.isdiag(err) and stops[err.id] then
    local ok, r = pcall(stuck, k, err)
    return ok and r or err
  elseif k.own_session or not (diag.isdiag(err) and faults[err.id]) then
    return err -- own_session: it is this that explains another
  end
  local ok, r = pcall(explain, k, values, err)
  require("moontile.tl.kernel").last.kernel = k -- and not what was simulated for it
  return ok and r or err
end

return M
