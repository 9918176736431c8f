-- tl/fault.lua: which line of a kernel a device's fault comes from, and which of its loops
-- one that did not end may have been in.
--
-- A GPU says that memory was accessed wrongly, not where.  The simulator runs
-- the same thread program on the same tensors, as the host last saw them, and
-- says line, block and thread; for a run that would take it too long, it says where
-- it was by then, and tries the small sizes that k:check() derives.  A kernel that does not
-- end does not end there either: the loop where it then was is the answer.
local diag = require "moontile.diag"
local jobs = require "moontile.jobs"
local tensors = require "moontile.tl.tensor"
local W = require "moontile.base.translations"

local M = {}

M.seconds = {fault = 20, stop = 2, size = 5} -- for the simulator; size: each small one
local Slack = 10 -- s: it gives up by itself before its session does

-- Errors of a device that the simulator can explain.
local faults = {gpu_illegal_address = true, gpu_misaligned = true, gpu_illegal_instruction = true,
  gpu_trap = true, gpu_aborted = true, crash_segv = true, crash_bus = true, crash_abort = true,
  worker_signal = true}

-- Errors of a kernel that was stopped.
local stops = {timeout = true, timeout_work = true, interrupted = true}
local MostLoops = 3 -- that are shown of it
local Long = 1000000 -- rounds, from which on a loop may be why

-- The kernel for the simulated machine that it was lowered for, given up after so many seconds.
local function simulated(k, seconds)
  local machine = k:ir("thread"):match "machine (%S+)"
  return k:retarget(("sim%s%s"):format(machine and " -arch=" .. machine or "",
    seconds and " -seconds=" .. seconds or ""))
end

local verdicts = {sim_late = "slow", timeout = "slow", timeout_work = "slow", device_memory = "slow",
  interrupted = "interrupted"}

-- What the simulator says of k on these values within so many seconds: "wrong", "slow" or
-- "interrupted" and its error, or "clean".
local function rerun(k, values, seconds)
  local sim = simulated(k, seconds)
  local session = require("moontile.session").open(sim.target)
  session:limit(seconds + Slack)
  sim.session, sim.module = session, session:load(sim.info.path, sim.name, sim.chunk, nil, sim.asserts)
  sim.own_session = true
  local ok, err = pcall(sim.launch, sim, tensors.copies(values), #values, nil, function() end)
  session:close()
  if ok then
    return "clean"
  end
  return diag.isdiag(err) and verdicts[err.id] or "wrong", err
end

-- Where the simulator was when it gave up: file, line, column, block; nil: it did not say.
local function given_up(err)
  if diag.isdiag(err) and err.id == "sim_late" and err.line > 0 then
    return err.file, err.line, err.col, err.args[3]
  end
end

-- One line on a terminal, as long as it takes: of a message; without one it goes.
local function waiting(id, ...)
  if jobs.terminal() then
    io.stderr:write("\r\27[K", id and diag.at(id, nil, 0, 0, ...).message or "")
  end
end

-- The error of the first small size at which the kernel is wrong, or nil.
local function smaller(k)
  waiting("fault_sizes", k.name)
  local device = require "moontile.tl.device"
  local before = device.seconds
  device.set_time_limit(M.seconds.size)
  local ok, r = pcall(function()
    return require("moontile.tl.check").check(k, {target = simulated(k).target}, function() end)
  end)
  device.set_time_limit(before) -- nil: nobody had chosen one
  waiting()
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
  local verdict, found = rerun(k, values, M.seconds.fault)
  if verdict == "interrupted" then
    return err
  elseif verdict == "wrong" and diag.isdiag(found) then
    return diag.adopt(diag.note(err, "fault_found", nil, 0, 0, k.name, W"the same tensors"), found)
  elseif verdict == "clean" then
    return diag.note(err, "fault_clean", nil, 0, 0, k.name, W"the same tensors")
  end
  local small, size = smaller(k)
  if small then
    return diag.adopt(diag.note(err, "fault_found", nil, 0, 0, k.name, size_text(size)), small)
  end
  diag.note(err, "fault_slow", nil, 0, 0, k.name, M.seconds.fault)
  local file, line, col, block = given_up(found)
  return file and diag.note(err, "fault_at", file, line, col, block) or err
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

-- The loops of k's text, outer before inner: where, the word, the last line of the body, and
-- how many rounds there are inside of all loops around; nil: the run decides; its statements.
local function loops(text)
  local list, open, files = {}, {{depth = -1, rounds = 1}}, {}
  for name in text:gmatch '%f[^\n\0]file %d+ "([^\n]*)"' do
    files[#files + 1] = name
  end
  for indent, statement, at in text:gmatch "\n( *)([^\n]-) ?@([%d:]+)%f[\n\0]" do
    local file, line, col = place(at, files)
    while #indent <= open[#open].depth do
      open[#open] = nil
    end
    for i = 2, #open do
      local l = open[i].loop
      l.last = l.at[1] == file and line and math.max(l.last, line) or l.last
      l.body[#l.body + 1] = statement
    end
    local word, rest = statement:match "^(%l+) (.-) do$"
    if word == "while" or word == "for" then
      local extents = rest:match "^.- in %l+%(([^()]*)%)"
      local rounds = word == "for" and extents and open[#open].rounds
      for e in (extents or ""):gmatch "[^, ]+" do
        rounds = rounds and math.tointeger(tonumber(e)) and rounds * e
      end
      local l = {at = {file, line, col}, last = line, word = word, rounds = rounds or nil,
        body = {statement}}
      open[#open + 1] = {depth = #indent, rounds = rounds or open[#open].rounds, loop = l}
      list[#list + 1] = l
    end
  end
  return list
end

-- How many of these statements write the buffer.
local function writes(list, name)
  local n = 0
  for _, s in ipairs(list) do
    local kind = s:match("atomic (%l+) " .. name .. "%[")
    if kind and kind ~= "load" or s:match("^" .. name .. "%[") or s:match("%-> " .. name .. "%[") then
      n = n + 1
    end
  end
  return n
end

-- What the loop waits for, where that is what another block writes: it reads a tensor, in an
-- atomic load or to go on at all, that the kernel writes elsewhere alone.
local function awaits(loop, text)
  local all = {}
  for statement in text:gmatch "\n *([^\n]-) ?@[%d:]+%f[\n\0]" do
    all[#all + 1] = statement
  end
  for name in text:gmatch "\n *buffer ([%w_]+): global" do
    local reads = loop.word == "while" and loop.body[1]:match("%f[%w_]" .. name .. "%[")
    for _, s in ipairs(loop.body) do
      reads = reads or s:match("atomic load " .. name .. "%[")
    end
    if reads and writes(loop.body, name) == 0 and writes(all, name) > 0 then
      return W"it may be waiting for another block to write `%s`; -t cpu and -t sim start blocks in order, a few at a time"
        :format(name)
    end
  end
end

-- Of these loops the innermost that no bound ends and that stands around a line; nil: none.
local function around(list, file, line)
  local inner
  for _, l in ipairs(list) do
    if not l.rounds and l.at[1] == file and l.at[2] <= line and line <= l.last then
      inner = l
    end
  end
  return inner
end

-- What is known without a run: the loops that no bound ends; if there are none, the one that
-- goes round most often, which is returned.
local function suspects(list, err, text)
  local n, most = 0, nil
  for _, l in ipairs(list) do
    if not l.rounds and n < MostLoops then
      n = n + 1
      diag.note(err, "stuck_open", l.at[1], l.at[2], l.at[3], l.word,
        awaits(l, text) or "")
    elseif l.rounds and (not most or l.rounds > most.rounds) then
      most = l
    end
  end
  if n == 0 and most and most.rounds >= Long then
    diag.note(err, "stuck_long", most.at[1], most.at[2], most.at[3], ("%d"):format(most.rounds))
    return most
  end
end

-- err of a kernel that ran into its time limit, with where the simulator is after a while.
local function searched(k, values, list, err, text)
  local verdict, found = rerun(k, values, M.seconds.stop)
  if verdict == "wrong" and diag.isdiag(found) then
    diag.adopt(diag.note(err, "fault_found", nil, 0, 0, k.name, W"the same tensors"), found)
    return
  end
  local file, line, col, block = given_up(found)
  local loop = file and around(list, file, line)
  if loop then
    diag.note(err, "stuck_in", loop.at[1], loop.at[2], loop.at[3], W"the same tensors", block,
      loop.word, M.seconds.stop, awaits(loop, text) or "")
    return
  end
  local most = suspects(list, err, text)
  if file and not (most and most.at[1] == file and most.at[2] == line) then
    diag.note(err, "stuck_at", file, line, col, W"the same tensors", block, M.seconds.stop)
  end
end

-- err of a kernel that was stopped, with what keeps it.  One loop that no bound ends is the
-- answer by itself on a device whose threads do not wait for each other.
local function stuck(k, values, err)
  local text, open = k:ir("tile"), 0
  local list = loops(text)
  for _, l in ipairs(list) do
    open = open + (l.rounds and 0 or 1)
  end
  if err.id == "timeout" and (open ~= 1 or k.target:match "^%l+" ~= "cpu") then
    if pcall(searched, k, values, list, err, text) then
      return
    end
  end
  suspects(list, err, text)
end

-- What is run to explain one error is not explained in its turn: a small size that does not
-- finish either is not searched for the loop that keeps it.
local explaining = false

local function alone(f, k, values, err)
  explaining = true
  local ok, r = pcall(f, k, values, err)
  explaining = false
  require("moontile.tl.kernel").last.kernel = k -- and not what was simulated for it
  return ok and r or err
end

-- err, which a launch of k on these values raised, with what the simulator says
-- where that can help.
function M.explain(k, values, err)
  if explaining or not diag.isdiag(err) then
    return err
  elseif stops[err.id] then
    return alone(stuck, k, values, err)
  end
  return faults[err.id] and alone(explain, k, values, err) or err
end

return M
