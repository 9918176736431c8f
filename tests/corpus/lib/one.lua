-- one.lua: what one Python file does here; corpus.lua starts it for each file, in that file's folder.
--
--     moontile one.lua MODE REPORT TARGET FILE
--
-- lower  reads FILE, then runs it with every kernel compiled for TARGET instead of launched (tl/dry.lua); a
--        kernel that is refused is written down, and FILE goes on
-- run    runs FILE on TARGET
-- suite  runs the tests in FILE, a few of each one's parameters, as lower does (suite.lua)
-- read   reads the files that FILE lists, and does nothing with them: read PATH CODE ID PLACE TEXT
--
-- REPORT gets a line for each event when it happens, so that a file that is stopped keeps what was found:
--     read    CODE ID PLACE TEXT
--     kernel  NAME FILE CODE ID PLACE TEXT     one specialisation: traced, and lowered
--     end     CODE ID PLACE TEXT
-- with tabs between; CODE is "ok", a code of a message, or "lua" for an error without one.

local device = require "moontile.tl.device"
local diag = require "moontile.diag"
local dry = require "moontile.tl.dry"
local ir = require "moontile.ir"
local python = require "moontile.python.loader"
local P = require "moontile.python"
local trace = require "moontile.T.trace"

local mode, report, target, file = ...

local out = assert(io.open(report, "a"))

local function event(...)
  local t = {...}
  for i = 1, #t do
    t[i] = tostring(t[i]):gsub("[\t\n]", " ")
  end
  out:write(table.concat(t, "\t"), "\n")
  out:flush()
end

-- An error as CODE, ID, PLACE, TEXT; nil is none.
local function told(e)
  if e == nil then
    return "ok", "", "", ""
  end
  e = P.report(e)
  if not diag.isdiag(e) then
    return "lua", "", "", tostring(e)
  end
  local text = e.message
  if e.label and e.label ~= "" then
    text = text .. ": " .. e.label
  end
  return e.code, e.id, ("%s:%d"):format((e.file or ""):gsub("^@", "", 1), e.line or 0), text
end

-- Reading -----------------------------------------------------------------------

local function read(path)
  local f <close> = assert(io.open(path, "rb"))
  return f:read "a"
end

-- nil, or why the file cannot be read
local function unread(path)
  local f, e = python.load(read(path), "@" .. path)
  return not f and e or nil
end

-- Recording ---------------------------------------------------------------------

local refused = setmetatable({}, {__mode = "k"}) -- errors of traces that are written down

-- Traces write down why they fail; FILE sees the error, too, and mostly ends there.
local function record_traces()
  local run = trace.run
  function trace.run(f, spec)
    local r = table.pack(pcall(run, f, spec))
    if r[1] then
      return table.unpack(r, 2, r.n)
    end
    local e = r[2]
    if type(e) ~= "table" and type(e) ~= "userdata" or not refused[e] then
      event("kernel", spec.name or "kernel", debug.getinfo(f, "S").source, told(e))
      if type(e) == "table" or type(e) == "userdata" then
        refused[e] = true
      end
    end
    error(e, 0)
  end
end

local failure -- why the kernel that is compiled now is refused

-- Stands for ir.compile: the whole way to the target's text, and no compiler of it.
local function compile(program, spec)
  local ok, e = pcall(ir.compile, program, spec, false)
  failure = not ok and e or nil
  return {emit_ms = 0}
end

local function kernel(k)
  event("kernel", k.name, k.chunk, told(failure))
end

-- Times are no zeros, which FILE may divide by.
local function run_clock()
  local methods = require("moontile.tl.kernel").methods
  local time = methods.time
  function methods.time(...)
    local list = time(...)
    list[1] = list[1] == 0 and 1.0 or list[1]
    return list
  end
end

-- Runs f(); sys.exit() is no error.
local function finish(f)
  local ok, e = xpcall(f, diag.handler)
  if not ok and P.report(e) then
    local x = P.exception(e)
    local name = x and P.types and P.attr(P.attr(x, "__class__"), "__name__")
    if name ~= "SystemExit" or x.args[1] and x.args[1] ~= 0 and x.args[1] ~= P.None then
      return e
    end
  end
end

local here = arg[0]:match "^(.*/)[^/]*$" or ""
rawset(_G, "arg", {[0] = file}) -- sys.argv
device.set_target(target)
if mode == "run" then
  event("end", told(finish(function() dofile(file) end)))
elseif mode == "read" then
  for path in io.lines(file) do
    event("read", path, told(unread(path)))
  end
else
  local e = unread(file)
  event("read", told(e))
  if e then
    return
  end
  record_traces()
  run_clock()
  if mode == "suite" then
    file = dofile(here .. "suite.lua").program(file, report .. ".py")
  end
  event("end", told(finish(function() dry.run(file, kernel, compile) end)))
end
