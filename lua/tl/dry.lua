-- tl/dry.lua: runs a file without launching anything: every kernel that it
-- compiles or calls is handed over instead, and outputs read as zeros.

local device = require "moontile.tl.device"
local diag = require "moontile.diag"
local ir = require "moontile.ir"
local trace = require "moontile.T.trace"

local M = {}

-- ir.compile's part where no source is wanted: the checks.
function M.checked(P)
  return {emit_ms = 0}, ir.check(P) or nil
end

-- Says once that assertions of a file without results mean nothing.
local function teller()
  local said
  return function()
    if not said then
      said = true
      io.stderr:write(tostring(diag.make "dry_assert"), "\n")
    end
  end
end

-- assert() of a file without results: what compares them gives false; nil is something that is
-- missing, here as anywhere.
local function lenient(assert_before, tell)
  return function(...)
    if ... ~= false then return assert_before(...) end
    tell()
    return ...
  end
end

-- Python's assert, likewise; one in a kernel's text still means what it says.
local function lenient_python(assertion_before, tell)
  return function(...)
    if trace.current() then return assertion_before(...) end
    tell()
  end
end

-- run(file, kernel [, compile]): kernel(k) is called with each of them; compile
-- stands for ir.compile.  What the file prints goes to stderr, so that it does
-- not mix with what the caller writes.
function M.run(file, kernel, compile)
  local print_before, assert_before = print, assert
  local testing = require "moontile.tl.testing"
  local close_before, all_before = testing.assert_close, testing.allclose
  local tell = teller()
  local python, assertion_before -- the run-time of Python, when FILE is in Python
  local _ <close> = setmetatable({}, {__close = function()
    device.emit, device.compile = nil, nil
    _G.print, _G.assert = print_before, assert_before
    testing.assert_close, testing.allclose = close_before, all_before
    if python then
      python.assertion = assertion_before
    end
  end})
  function device.emit(k)
    _G.assert = _G.assert == assert_before and lenient(assert_before, tell) or _G.assert
    if not python and package.loaded["moontile.python"] then
      python = package.loaded["moontile.python"]
      assertion_before = python.assertion
      python.assertion = lenient_python(assertion_before, tell)
    end
    return kernel(k)
  end
  device.compile = compile
  function _G.print(...)
    local t = table.pack(...)
    for i = 1, t.n do
      t[i] = tostring(t[i])
    end
    io.stderr:write(table.concat(t, "\t"), "\n")
  end
  -- Outputs read as zeros, so nothing can be compared.
  testing.assert_close = function() end
  testing.allclose = function() return true end
  dofile(file)
end

return M
