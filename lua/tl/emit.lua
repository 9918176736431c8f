-- tl/emit.lua: `moontile compile FILE --emit ir|thread|cuda|hip|maca|c [-o DIR]`: every
-- kernel that FILE compiles or calls is written instead of launched (tl/dry.lua).
--
-- ir is the tile program; thread the program of a machine's threads, of the
-- target that -t names (the simulator's, when that one has no threads); cuda the
-- CUDA C++ of the cuda target, for the machine that -t names (sm_90a without); hip and
-- maca the texts of these targets, likewise; c the source of the cpu target.

local device = require "moontile.tl.device"
local diag = require "moontile.diag"
local dry = require "moontile.tl.dry"
local files = require "moontile.files"
local ir = require "moontile.ir"
local json = require "moontile.tl.json"

local M = {}

local function source(k)
  return k.info.source
end

-- Compiles for a target of threads: the one that -t names, or it with the machine of the
-- simulator that -t names.
local function by(target, machines)
  return function(P, spec, build)
    local arch = spec:match("%-arch=" .. machines)
    local own = spec:match "^%S+" == target and spec
    return ir.compile(P, own or arch and target .. " " .. arch or target, build)
  end
end

-- kind -> suffix, text of a kernel, what compiles it, the target where -t names none: tl.ops and
-- kernels that ask for the machine choose their tiles by it
local kinds = {
  cuda = {".cu", source, by("cuda", "sm_%w+"), "cuda"},
  hip = {".hip", source, by("hip", "gfx%w+"), "hip"},
  maca = {".maca", source, by("maca", "c%d+"), "maca"},
  ir = {".ir", function(k) return ir.text(k.P) end, dry.checked},
  thread = {".thread.ir", function(k) return (k:ir "thread") end, dry.checked},
  c = {".c", source, nil, "cpu"},
}

-- run{file =, emit = a kind, outdir = nil, target = nil, json = false}
function M.run(o)
  local kind = kinds[o.emit or "c"]
  if not kind then
    diag.fail("mode_value", "moontile compile", "--emit", tostring(o.emit),
      "ir, thread, cuda, hip, maca, c")
  end
  local used, n, default = {}, 0, device.default
  local lost -- a file that could not be written, and why: FILE may catch the error
  local _ <close> = setmetatable({}, {__close = function() device.default = default end})
  if default == "auto" and kind[4] then
    device.default = kind[4]
  end
  dry.run(o.file, function(k)
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
      local ok, why = files.write(path, text)
      if not ok then
        lost = lost or {path, why}
        diag.fail("export_dir", path, why)
      end
    end
    if o.json then
      io.stdout:write(("{\"kernel\": %s, \"target\": %s, %s: %s}\n"):format(json.quote(k.name),
        json.quote(k.target), path and '"path"' or '"text"', json.quote(path or text)))
    elseif path then
      io.stdout:write(diag.visible(path), "\n")
    else
      io.stdout:write(text, text:sub(-1) == "\n" and "" or "\n")
    end
  end, kind[3])
  if lost then
    diag.fail("export_dir", lost[1], lost[2])
  end
  if n == 0 then
    diag.fail("emit_none", o.file)
  end
  return n
end

return M
