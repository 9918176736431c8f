-- tl/fault.lua: which line of a kernel a device's fault comes from.
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
  gpu_trap = true, wave_aborted = true}

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
  return k:retarget("sim -arch=" .. machine)
end

-- What the simulator says of k on these values: "wrong" and its error, "clean",
-- or "slow".
local function rerun(sim, values)
  local session = require("moontile.session").open(sim.target)
  session:limit(Seconds)
  sim.session, sim.module = session, session:load(sim.info.path, sim.name, sim.chunk)
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

-- err, which a launch of k on these values raised, with what the simulator says
-- where that can help.
function M.explain(k, values, err)
  if not (diag.isdiag(err) and faults[err.id]) then
    return err
  end
  local ok, r = pcall(explain, k, values, err)
  require("moontile.tl.kernel").last.kernel = k -- and not what was simulated for it
  return ok and r or err
end

return M
