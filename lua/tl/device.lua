-- tl/device.lua: targets by name, and one device session for each.

local diag = require "moontile.diag"
local ir = require "moontile.ir"

local M = {
  default = "auto",
  emit = nil, -- set by tl.emit: kernels are written instead of launched
  launched = nil, -- set by tl.benchfile: is told of launches that are left out
  compile = nil, -- set by tl.emit: does ir.compile's part where no source is wanted
}

-- Targets of language.md that this build lacks, and the libraries they need.
local known = {
  maca = {"libmcruntime.so"}, hip = {"libamdhip64.so", "libhiprtc.so"}, metal = {},
}

-- What `auto` takes: the first that is in this build and has a device here.
local preferred = {"cuda", "cpu"}

-- Raises: target `word` is not here, or its device is not.
local function missing(word)
  local looked, all = {}, true
  for i, lib in ipairs(known[word]) do
    local found = require("moontile.session").haslib(lib)
    looked[i] = lib .. (found and " (+)" or " (-)")
    all = all and found
  end
  if not all then
    diag.fail("target_none", word, table.concat(looked, ", "))
  end
  diag.fail("target_later", word)
end

-- "auto", nil or "cpu -threads=1" -> a spec that names a target of this build
function M.resolve(spec)
  spec = spec or M.default
  if type(spec) == "table" then
    spec = spec.kind
  end
  if type(spec) ~= "string" or spec:match("^%s*$") then
    diag.fail("target_unknown", tostring(spec), table.concat(ir.targets(), ", "))
  end
  local word = spec:match("^%s*(%S+)")
  if word == "auto" then
    for _, name in ipairs(preferred) do
      if ir.target(name) and ir.present(name) then
        return name .. spec:match("^%s*auto(.-)%s*$")
      end
    end
  elseif not ir.target(word) then
    if known[word] then
      missing(word)
    end
    diag.fail("target_unknown", word, "auto, " .. table.concat(ir.targets(), ", "))
  end
  return (spec:match("^%s*(.-)%s*$"))
end

-- The target of thread programs for a resolved spec: itself, or the simulator.
function M.threads(spec)
  return ir.hasthreads(spec) and spec or M.resolve "sim"
end

-- The simulator of the machine that a resolved spec means.
function M.simulator(spec)
  if spec:match "^%S+" == "sim" then
    return spec
  end
  local machine = ir.machine(spec)
  return M.resolve(machine and "sim -arch=" .. machine or "sim")
end

function M.set_target(name)
  M.resolve(name)
  M.default = name
end

local sessions = {}

-- The session of a resolved target; opened at first use.
function M.session(spec)
  local s = sessions[spec]
  if not s then
    s = require("moontile.session").open(spec)
    sessions[spec] = s
    if M.seconds then
      s:limit(M.seconds)
    end
  end
  return s
end

-- Ends the session of a resolved target, where there is one: for targets used once.
function M.close(spec)
  local s = sessions[spec]
  sessions[spec] = nil
  if s then
    s:close()
  end
end

-- The spec that programs are lowered for: what the device itself knows is added
-- ("cuda" -> "cuda -arch=sm_90a -sms=132").  Without a device an -arch must do: then
-- a program can be built, but not run.
function M.machine(spec)
  if not ir.completes(spec) or spec:find("-arch=", 1, true) and not ir.present(spec) then
    return spec
  end
  return M.session(spec):options()
end

-- Starts the worker of the default target where its device takes long to start: for
-- a prompt that waits.  Nothing is waited for, and what fails shows at the first use.
function M.warm()
  local ok, spec = pcall(M.resolve)
  if ok and ir.completes(spec) and ir.present(spec) then
    M.session(spec):warm()
  end
end

-- How long a kernel may run, in seconds; 0: no limit.  For `:limit`.
function M.set_time_limit(seconds)
  M.seconds = seconds
  for _, s in pairs(sessions) do
    s:limit(seconds)
  end
end

function M.time_limit()
  return M.seconds or tonumber(os.getenv "MOONTILE_TIME_LIMIT") or 10
end

-- Names of what kernels can run on, and whether a device for it seems to be here:
-- {{name =, summary =, present =}, ..}
function M.devices()
  local list = {}
  for i, name in ipairs(ir.targets()) do
    local _, summary = ir.target(name)
    list[i] = {name = name, summary = summary, present = ir.present(name)}
  end
  return list
end

function M.current_device()
  return M.resolve():match("^%S+")
end

return M
