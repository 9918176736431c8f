-- tl/emit.lua: `moontile compile FILE --emit ir|c [-o DIR]`: runs FILE, and
-- every kernel that it compiles or calls is written instead of launched;
-- outputs then read as zeros.

local device = require "moontile.tl.device"
local diag = require "moontile.diag"
local ir = require "moontile.ir"

local M = {}

-- kind -> suffix, text of a kernel
local kinds = {
  ir = {".ir", function(k) return ir.text(k.P) end},
  c = {".c", function(k) return k.info.source end},
}

local function write(path, text)
  local f, err = io.open(path, "w")
  if not f then
    error(err, 0)
  end
  f:write(text)
  f:close()
end

local function quote(s)
  return '"' .. s:gsub('[%c"\\]', function(c) return ("\\u%04x"):format(c:byte()) end) .. '"'
end

-- run{file =, emit = "ir" or "c", outdir = nil, target = nil, json = false}
function M.run(o)
  local kind = kinds[o.emit or "c"]
  if not kind then
    diag.fail("mode_value", "moontile compile", "--emit", tostring(o.emit), "ir, c")
  end
  local used, n = {}, 0
  device.emit = function(k)
    local name = k.name
    used[name] = (used[name] or 0) + 1
    if used[name] > 1 then
      name = name .. "_" .. used[name]
    end
    n = n + 1
    local text = kind[2](k)
    local path
    if o.outdir then
      path = o.outdir .. "/" .. name .. kind[1]
      write(path, text)
    end
    if o.json then
      io.stdout:write(("{\"kernel\": %s, \"target\": %s, %s: %s}\n"):format(quote(k.name),
        quote(k.target),
        path and '"path"' or '"text"', quote(path or text)))
    elseif path then
      io.stdout:write(path, "\n")
    else
      io.stdout:write(text, text:sub(-1) == "\n" and "" or "\n")
    end
  end
  -- What the file prints would mix with the sources: it goes to stderr.
  local print_before = print
  function _G.print(...)
    local t = table.pack(...)
    for i = 1, t.n do
      t[i] = tostring(t[i])
    end
    io.stderr:write(table.concat(t, "\t"), "\n")
  end
  -- Outputs read as zeros, so nothing can be compared.
  local testing = require "moontile.tl.testing"
  local close_before, all_before = testing.assert_close, testing.allclose
  testing.assert_close = function() end
  testing.allclose = function() return true end
  local _ <close> = setmetatable({}, {__close = function()
    device.emit = nil
    _G.print = print_before
    testing.assert_close, testing.allclose = close_before, all_before
  end})
  dofile(o.file)
  if n == 0 then
    diag.fail("emit_none", o.file)
  end
  return n
end

return M
