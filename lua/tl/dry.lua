-- tl/dry.lua: runs a file without launching anything: every kernel that it
-- compiles or calls is handed over instead, and outputs read as zeros.

local device = require "moontile.tl.device"
local ir = require "moontile.ir"

local M = {}

-- ir.compile's part where no source is wanted: the checks.
function M.checked(P)
  return {emit_ms = 0}, ir.check(P) or nil
end

-- run(file, kernel [, compile]): kernel(k) is called with each of them; compile
-- stands for ir.compile.  What the file prints goes to stderr, so that it does
-- not mix with what the caller writes.
function M.run(file, kernel, compile)
  local print_before = print
  local testing = require "moontile.tl.testing"
  local close_before, all_before = testing.assert_close, testing.allclose
  local _ <close> = setmetatable({}, {__close = function()
    device.emit, device.compile = nil, nil
    _G.print = print_before
    testing.assert_close, testing.allclose = close_before, all_before
  end})
  device.emit, device.compile = kernel, compile
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
