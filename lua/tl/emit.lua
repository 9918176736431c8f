-- tl/emit.lua: `moontile compile FILE --emit KIND [-o DIR]`: every kernel that FILE compiles or calls
-- is written instead of launched (tl/dry.lua).
--
-- KIND ir is the tile program; thread the program of a machine's threads, of the target that -t
-- names (the simulator's, when that one has no threads); the others are the texts that targets
-- print, for the machine that -t names: cuda is the CUDA C++ of the cuda target, c the C of the
-- cpu target.

local device = require "moontile.tl.device"
local diag = require "moontile.diag"
local dry = require "moontile.tl.dry"
local files = require "moontile.files"
local ir = require "moontile.ir"
local json = require "moontile.tl.json"

local M = {}

-- Compiles for the target that prints a text: the one that -t names, or it with the chip of the
-- simulator that -t names, where that is one of its own.  A chip that nobody has is refused.
local function by(target)
  return function(P, spec, build)
    local arch = spec:match "%-arch=%S+"
    if arch and spec:match "^%S+" ~= target and ir.machine(spec) then
      local own = target .. " " .. arch
      spec = ir.machine(own) and own or target
    elseif not arch and spec:match "^%S+" ~= target then
      spec = target
    end
    return ir.compile(P, spec, build)
  end
end

-- Of a kind: suffix, text of a kernel, what compiles it, the target where -t names none: tl.ops and
-- kernels that ask for the machine choose their tiles by it.  nil: no such kind.
local function kind_of(word)
  if word == "ir" then
    return {".ir", function(k) return ir.text(k.P) end, dry.checked}
  elseif word == "thread" then
    return {".thread.ir", function(k) return (k:ir "thread") end, dry.checked}
  end
  for _, t in ipairs(ir.texts()) do
    if t.kind == word then
      return {t.suffix, function(k) return k.info.source end, by(t.target), t.target}
    end
  end
end

-- The words of all kinds, in one text.
local function known()
  local list = {"ir", "thread"}
  for _, t in ipairs(ir.texts()) do
    list[#list + 1] = t.kind
  end
  return table.concat(list, ", ")
end

-- run{file =, emit = a kind, outdir = nil, target = nil, json = false}
function M.run(o)
  local kind = kind_of(o.emit or "c")
  if not kind then
    diag.fail("mode_value", "moontile compile", "--emit", tostring(o.emit), known())
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
      io.stdout:write(("{\"kernel\": %s, \"target\": %s, %s: %s}\n"):format(json.public(k.name),
        json.public(k.target), path and '"path"' or '"text"', json.public(path or text)))
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
