-- tl/export.lua: k:export("dir"): a kernel in forms that run without moontile.
--
--   NAME.py                           the tile program as TileLang Python
--   NAME.ir, NAME.thread.ir           the tile program; the program of its threads
--   NAME.c                            cpu: the source
--   NAME.cu, NAME.cubin               cuda: the source, and what the compiler made of it
--   NAME.h, NAME.c, main.c, Makefile  cuda: a launcher, and a program that uses it

local describe = require "moontile.base.describe"
local device = require "moontile.tl.device"
local diag = require "moontile.diag"
local export = require "moontile.export"
local files = require "moontile.files"
local ir = require "moontile.ir"
local registry = require "moontile.T.registry"
local W = require "moontile.base.translations"

local M = {}

local function fail(path, why)
  diag.fail("export_dir", path, why)
end

-- The text of a file that the compiler made.
local function read(path)
  local text, why = files.read(path)
  return text or fail(path, why)
end

-- Was the file at path written by an export? there: nil, when there is none.
local function ours(path, there)
  local f <close> = io.open(path, "rb")
  if not f then
    return not there
  end
  return (f:read(300) or ""):find("ritten by moontile", 1, true) ~= nil
end

-- Puts list, {{path, text}, ..}, into the folder dir: all of it, or nothing. What somebody else
-- has put there stays; a kernel's files are known by its NAME.py.
local function put(dir, name, list)
  local ok, made = files.folder(dir)
  if not ok then
    fail(dir, made)
  end
  local again = ours(dir .. "/" .. name .. ".py", true)
  for _, f in ipairs(list) do
    if not (again and f.own) and not ours(f[1]) then
      diag.fail("export_there", f[1])
    end
  end
  local whole, why, path = files.write_all(list)
  if not whole then
    if made then
      os.remove(dir)
    end
    fail(path, why)
  end
end

local function python(k, name, write)
  local text, missing = export.python(k.P, k.fast_math)
  write(name .. ".py", text)
  return missing > 0 and diag.make("export_missing", missing, k.name, name .. ".py")
end

-- The source under its own suffix; GPU targets: what launches it, and the binary.
-- Where kernels are only written, as far as there is one.
local function source(k, name, write)
  if not k.info.source then
    return
  end
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
  local s, m = require("moontile.tl.kernel").compiled(k)
  if s then
    write(name .. ".cubin", read(s:text(m, "cubin")))
  end
end

-- Writes k into the folder dir, which is made; returns the paths.
function M.export(k, dir, ...)
  registry.no_more("kernel:export", {"dir"}, ...)
  if type(dir) ~= "string" or dir == "" then
    diag.fail("arg_type", "kernel:export", "dir", W"a path", describe(dir),
      "kernel:export(dir)")
  end
  local name = k.name:gsub("[^%w_]", "_"):gsub("^(%d)", "_%1")
  if name == "main" then -- the program's file
    name = "main_"
  end
  local list, paths = {}, {}
  local function write(file, text)
    local path = dir .. "/" .. file
    list[#list + 1] = {path, text, own = file:sub(1, #name + 1) == name .. "."}
    paths[#paths + 1] = path
  end
  local missing = python(k, name, write)
  write(name .. ".ir", ir.text(k.P))
  if ir.hasthreads(k.target) or ir.hasthreads(device.threads(k.target)) then
    write(name .. ".thread.ir", (k:ir "thread"))
  end
  source(k, name, write)
  put(dir, name, list)
  if missing then
    io.stderr:write(tostring(missing), "\n")
  end
  return paths
end

return M
