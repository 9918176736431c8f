-- tl/export.lua: k:export("dir"): a kernel in forms that run without moontile.
--
--   NAME.py                           the tile program as TileLang Python
--   NAME.ir, NAME.thread.ir           the tile program; the program of its threads
--   NAME.c                            cpu: the source
--   NAME.cu, NAME.cubin               cuda: the source, and what the compiler made of it
--   NAME.h, NAME.c, main.c, Makefile  cuda: a launcher, and a program that uses it

local device = require "moontile.tl.device"
local diag = require "moontile.diag"
local export = require "moontile.export"
local files = require "moontile.files"
local ir = require "moontile.ir"
local registry = require "moontile.T.registry"
local W = require "moontile.T.words"

local M = {}

local function read(path)
  local f <close> = io.open(path, "rb")
  return f and f:read "a"
end

-- Collects files below dir.
local function writer(dir)
  local list = {}
  return function(name, text)
    local path = dir .. "/" .. name
    local ok, why = files.write(path, text)
    if not ok then
      diag.fail("export_dir", path, why)
    end
    list[#list + 1] = path
  end, list
end

local function make_folder(dir)
  if not os.execute(("mkdir -p -- '%s' 2>/dev/null"):format(dir:gsub("'", "'\\''"))) then
    diag.fail("export_dir", dir, "mkdir")
  end
end

local function python(k, name, write)
  local text, missing = export.python(k.P)
  write(name .. ".py", text)
  if missing > 0 then
    io.stderr:write(tostring(diag.make("export_missing", missing, k.name, name .. ".py")), "\n")
  end
end

-- The source under its own suffix; GPU targets: what launches it, and the binary.
local function source(k, name, write)
  local launcher = export.bundle(k.P, k.target, name)
  if not launcher then
    if not ir.hasthreads(k.target) then
      write(name .. ".c", k.info.source)
    end
    return
  end
  write(name .. ".cu", k.info.source)
  for _, f in ipairs(launcher) do
    write(f[1], f[2])
  end
  local s, m = k:loaded()
  write(name .. ".cubin", read(s:text(m, "cubin")))
end

-- Writes k into the folder dir, which is made; returns the paths.
function M.export(k, dir, ...)
  registry.no_more("kernel:export", {"dir"}, ...)
  if type(dir) ~= "string" or dir == "" then
    diag.fail("arg_type", "kernel:export", "dir", W"a path", registry.describe(dir),
      "kernel:export(dir)")
  end
  local name = k.name:gsub("[^%w_]", "_"):gsub("^(%d)", "_%1")
  if name == "main" then -- the program's file
    name = "main_"
  end
  make_folder(dir)
  local write, list = writer(dir)
  python(k, name, write)
  write(name .. ".ir", ir.text(k.P))
  if ir.hasthreads(k.target) or ir.hasthreads(device.threads(k.target)) then
    write(name .. ".thread.ir", (k:ir "thread"))
  end
  source(k, name, write)
  return list
end

return M
