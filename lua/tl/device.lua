-- tl/device.lua: targets by name, one device session for each, and who takes part in compiling and
-- launching: what `moontile compile`, `check` and `bench` put in the place of both.

local diag = require "moontile.diag"
local ir = require "moontile.ir"

local M = {
  default = "auto",
  emit = nil, -- set by tl.emit: kernels are written instead of launched
  recorded = nil, -- set by tl.profiler: is told of launches: their session, module and arguments
  launched = nil, -- set by tl.benchfile: is told of launches that are left out
  compile = nil, -- set by tl.emit: does ir.compile's part where no source is wanted
}

-- TileLang's targets that moontile does not have.
local known = {metal = true}

-- What a user gives for a target, as text: itself, or the kind of TileLang's {kind = "cuda"}; nil:
-- the default.
function M.named(spec)
  if spec == nil then
    spec = M.default
  elseif type(spec) == "table" then
    spec = spec.kind
  end
  if type(spec) ~= "string" or spec:match("^%s*$") then
    diag.fail("target_unknown", tostring(spec), table.concat(ir.targets(), ", "))
  end
  return spec
end

-- "auto", nil or "cpu -threads=1" -> a spec that names a target of this build
function M.resolve(spec)
  spec = M.named(spec)
  local word = spec:match("^%s*(%S+)")
  if word == "auto" and ir.best() then
    return ir.best() .. spec:match("^%s*auto(.-)%s*$")
  elseif word == "remote" then
    return require("moontile.tl.connect").resolve(spec)
  elseif not ir.target(word) then
    if known[word] then
      diag.fail("target_later", word)
    end
    diag.fail("target_unknown", word, "auto, " .. table.concat(ir.targets(), ", "))
  end
  return (spec:match("^%s*(.-)%s*$"))
end

-- What programs for a resolved spec are made for: of one on another machine the target
-- there, "cuda -arch=sm_90a", else itself.
function M.on(spec)
  return ir.there(spec)
end

-- The target of thread programs for a resolved spec: itself, or the simulator.
function M.threads(spec)
  spec = M.on(spec)
  return ir.hasthreads(spec) and spec or M.resolve "sim"
end

-- The simulator of the machine that a resolved spec means.
function M.simulator(spec)
  spec = M.on(spec)
  if spec:match "^%S+" == "sim" then
    return spec
  end
  local machine = ir.machine(spec)
  return M.resolve(machine and "sim -arch=" .. machine or "sim")
end

function M.set_target(name)
  name = M.named(name == nil and "nil" or name)
  local spec = M.resolve(name)
  ir.words(spec) -- wrong ones are said now, not when a kernel runs
  local url = spec:match "^remote .*%-url=(%S+)"
  if url then
    require("moontile.environ").set("MOONTILE_URL", url)
  end
  M.default = url and spec or name
end

local sessions = {}

-- What a target says that has no device here.
local absent = {cuda_no_library = true, cuda_no_device = true, gpu_no_library = true}

-- Does this error of a target say that it has no device here?
function M.is_absent(err)
  return diag.isdiag(err) and absent[err.id] ~= nil
end

-- A new session of a target, which nobody else uses yet.
function M.open(spec)
  local s = require("moontile.session").open(spec)
  if M.seconds then
    s:limit(M.seconds)
  end
  return s
end

-- s becomes the session of a resolved target that has none.
function M.adopt(spec, s)
  if sessions[spec] then
    s:close()
  else
    sessions[spec] = s
  end
end

-- The session of a resolved target; opened at first use.
function M.session(spec)
  local s = sessions[spec]
  if not s then
    s = M.open(spec)
    sessions[spec] = s
  end
  return s
end

-- The resolved targets that have a session.
function M.opened()
  local list = {}
  for spec in pairs(sessions) do
    list[#list + 1] = spec
  end
  table.sort(list)
  return list
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
-- ("cuda" -> "cuda -arch=sm_90a -sms=132").  Without a device its -arch, or the target's
-- usual machine, must do: a program can be looked at and built, and a run says what is missing.
function M.machine(spec)
  local here = ir.present(spec) or spec:find "^remote"
  if not ir.completes(spec) or spec:find("-arch=", 1, true) and not here then
    return spec
  end
  local session = M.session(spec)
  local ok, options = pcall(session.options, session)
  if ok then
    return options
  elseif here or not M.is_absent(options) then
    error(options, 0)
  end
  return spec
end

-- Starts the worker of the default target where its device takes long to start: for
-- a prompt that waits.  Nothing is waited for, and what fails shows at the first use.
function M.warm()
  local ok, spec = pcall(M.resolve)
  if ok and ir.completes(spec) and ir.present(spec) then
    M.session(spec):warm()
  end
end

-- How long a kernel may run, in seconds; 0: no limit, nil: nobody chooses one.  For `:limit`.
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
