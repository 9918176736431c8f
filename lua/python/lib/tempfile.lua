-- python/lib/tempfile.lua: Python's module tempfile: files and folders with names that nobody has, which go again.

local core = require "moontile.python.core"
local exc = require "moontile.python.exc"
local files = require "moontile.python.files"
local func = require "moontile.python.func"
local imports = require "moontile.python.imports"
local builtins = require "moontile.python.builtins"
local keep = require "moontile.keep"
local made = require "moontile.python.made"
local native = require "moontile.python.native"

local M = {}

local None = core.None
local letters = "abcdefghijklmnopqrstuvwxyz0123456789_"

local function given(v, default)
  if v == nil or v == None then
    return default
  end
  return files.path_of(v)
end

local function folder()
  for _, name in ipairs {"TMPDIR", "TEMP", "TMP"} do
    local v = os.getenv(name)
    if v and v ~= "" then
      return v
    end
  end
  return "/tmp"
end

-- Eight letters of the system's random numbers.
local function letters_of()
  local random = io.open("/dev/urandom", "rb")
  local bytes = random and random:read(8) or string.pack("<d", math.random())
  if random then
    random:close()
  end
  return (bytes:gsub(".", function(c)
    local i = c:byte() % #letters + 1
    return letters:sub(i, i)
  end))
end

-- The first path of those that take() takes: true, or nil, why, "exists", errno.
local function first(take, suffix, prefix, dir)
  dir = given(dir, folder()):gsub("(.)/$", "%1")
  for _ = 1, 100 do
    local path = dir .. "/" .. given(prefix, "tmp") .. letters_of() .. given(suffix, "")
    local ok, why, exists, number = take(path)
    if ok then
      return path
    elseif not exists then
      files.fail(why, number, path)
    end
  end
  exc.fail("FileExistsError", "No usable temporary file name found")
end

-- A name that nobody has by now, for who makes it later.
local function mktemp(suffix, prefix, dir)
  local exists = imports.import "os".path.exists
  return first(function(path) return not func.call(exists, path), nil, "exists" end, suffix, prefix, dir)
end

local function mkdtemp(suffix, prefix, dir)
  return first(function(path) return keep.private(path, true) end, suffix, prefix, dir)
end

local function remove(path, tree)
  if tree then
    func.call(imports.import "shutil".rmtree, path)
  else
    os.remove(path)
  end
end

-- TemporaryDirectory: `with` gives its name.
M.TemporaryDirectory = made.class("TemporaryDirectory", "tempfile", {
  ["__init__(self, suffix?, prefix?, dir?, ignore_cleanup_errors?)"] = function(d, suffix, prefix, dir)
    d.name = mkdtemp(suffix, prefix, dir)
    return None
  end,
  ["__enter__(self)"] = function(d) return d.name end,
  ["__exit__(self, kind, value, traceback)"] = function(d) remove(d.name, true) return None end,
  ["cleanup(self)"] = function(d) remove(d.name, true) return None end,
  ["__repr__(self)"] = function(d) return "<TemporaryDirectory " .. core.late.repr(d.name) .. ">" end,
})

-- NamedTemporaryFile: what open() gives, and the path.
local File = made.class("_TemporaryFileWrapper", "tempfile", {
  ["__enter__(self)"] = function(f) return f end,
  ["__exit__(self, kind, value, traceback)"] = function(f) func.method(f, "close") return None end,
  ["close(self)"] = function(f)
    func.method(f.file, "close")
    if f.delete then
      f.delete = false
      remove(f.name)
    end
    return None
  end,
  ["__getattr__(self, name)"] = function(f, name) return core.late.attr(f.file, name) end,
  ["__iter__(self)"] = function(f) return func.method(f.file, "__iter__") end,
})

local function named(mode, _, encoding, _, suffix, prefix, dir, delete)
  local path = first(keep.private, suffix, prefix, dir)
  mode = given(mode, "w+b"):gsub("^x", "w")
  local file = func.call(builtins.names.open, path, mode, None, encoding)
  return made.object(File, {file = file, name = path, delete = delete ~= false, encoding = encoding or None})
end

native.functions(M, {
  ["gettempdir()"] = folder, ["mkdtemp(suffix?, prefix?, dir?)"] = mkdtemp,
  ["mktemp(suffix?, prefix?, dir?)"] = mktemp,
  ["NamedTemporaryFile(mode?, buffering?, encoding?, newline?, suffix?, prefix?, dir?, delete?, errors?)"] = named,
  ["TemporaryFile(mode?, buffering?, encoding?, newline?, suffix?, prefix?, dir?)"] = function(mode, buffering, encoding, newline, suffix,
    prefix, dir)
    return named(mode, buffering, encoding, newline, suffix, prefix, dir, true)
  end,
})

return M
