-- tl/dry.lua: runs a file without launching anything: every kernel that it
-- compiles or calls is handed over instead.  In a Lua file outputs read as zeros; in a
-- Python file what comes from them, and what would be much work, has no values at all.

local device = require "moontile.tl.device"
local diag = require "moontile.diag"
local func = require "moontile.T.func"
local ir = require "moontile.ir"
local tensor = require "moontile.tensor"
local trace = require "moontile.T.trace"

-- hidden: the values of large tensors are not computed (lua/seam/unseen.c);
-- asserts: {table, name} of functions that other languages assert with, from whoever has them;
-- running: a file is, so that what it prints goes to stderr
-- report: an error of another language as a message of ours
local M = {asserts = {}, running = false, hidden = false}

-- Elements of the largest tensor that is still computed where values are hidden: lengths, offsets,
-- tables of pages are below it, inputs and their references above.
local MostSeen = 1 << 16

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

-- What another language calls where an assertion does not hold, likewise; in a kernel's text it
-- still means what it says.
local function lenient_failed(assertion_before, tell)
  return function(...)
    if trace.current() then return assertion_before(...) end
    tell()
  end
end

-- os.exit of a file without results: it ends the file, which throws `ended`, not the command.  That it fails is told,
-- once: results that read as zeros may be why.
local function leaver(ended)
  local said
  return function(code)
    local status = (code == nil or code == true) and 0 or code == false and 1 or math.tointeger(tonumber(code))
    if not status then
      error(("bad argument #1 to 'exit' (number expected, got %s)"):format(type(code)), 2)
    end
    if status ~= 0 and not said then
      said = true
      local file, line = diag.where()
      io.stderr:write(tostring(diag.at("dry_exit", file, line, 0, status)), "\n")
    end
    error(ended, 0)
  end
end

-- A program that asks for a value that nobody has computed ends there: what it would have done is not
-- known.  Other errors go on.
local function left_out(e)
  local d = M.report and M.report(e) or e
  if not diag.isdiag(d) or d.id ~= "unseen_value" then
    error(e, 0)
  end
  io.stderr:write(tostring(diag.at("unseen_rest", d.file, d.line, d.col or 0, d.label)), "\n")
  return d
end

-- A file that compiles no kernel has one all the same where it makes but one prim_func, as files do that others import;
-- asked: f.func(..) gave it, and compiled it for that alone.
local function only(made)
  if #made == 1 and (not made[1].taken or made[1].asked) then
    io.stderr:write(tostring(diag.make("dry_prim", made[1].name)), "\n")
    require("moontile.tl.jit").compile(made[1], {})
  end
end

-- run(file, kernel [, compile]): gives the message of a value that was asked for, which ended the file; kernel(k) is called with each of them; compile
-- stands for ir.compile.  What the file prints goes to stderr, so that it does
-- not mix with what the caller writes.
function M.run(file, kernel, compile)
  local print_before, assert_before, exit_before = print, assert, os.exit
  local ended = setmetatable({}, {__tostring = function() return "os.exit" end})
  local testing = require "moontile.tl.testing"
  local close_before, all_before = testing.assert_close, testing.allclose
  local tell = teller()
  M.tell = tell
  -- A Lua file's reference is as small as its author wanted it; what is launched later needs its inputs.
  local hide = file:find "%.py$" and not device.launched
  local seen_before = tensor.unseen_from(hide and MostSeen or nil)
  M.hidden = hide and true or false
  local others = {} -- what stood in M.asserts
  local _ <close> = setmetatable({}, {__close = function()
    device.emit, device.compile, M.running, func.made = nil, nil, false, nil
    tensor.unseen_from(seen_before)
    M.hidden = seen_before ~= nil
    _G.print, _G.assert = print_before, assert_before
    rawset(os, "exit", exit_before)
    testing.assert_close, testing.allclose = close_before, all_before
    for a, before in pairs(others) do
      a[1][a[2]] = before
    end
  end})
  local some = false
  func.made = {}
  function device.emit(k)
    some = true
    _G.assert = _G.assert == assert_before and lenient(assert_before, tell) or _G.assert
    for _, a in ipairs(M.asserts) do
      if not others[a] then
        others[a] = a[1][a[2]]
        a[1][a[2]] = lenient_failed(others[a], tell)
      end
    end
    return kernel(k)
  end
  device.compile, M.running = compile, true
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
  rawset(os, "exit", leaver(ended))
  local ok, e = xpcall(dofile, function(e) return e == ended and e or diag.handler(e) end, file)
  if ok or e == ended then
    if not some then
      only(func.made)
    end
    return
  elseif not hide then
    error(e, 0)
  end
  return left_out(e)
end

return M
