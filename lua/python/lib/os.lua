-- python/lib/os.lua: Python's module os, as far as Lua reaches the system.

local core = require "moontile.python.core"
local dict = require "moontile.python.dict"
local exc = require "moontile.python.exc"
local files = require "moontile.python.files"
local native = require "moontile.python.native"
local path = require "moontile.python.lib.os_path"
local imports = require "moontile.python.imports"

local M = {name = "posix", sep = "/", linesep = "\n", pathsep = ":", curdir = ".", pardir = "..", devnull = "/dev/null"}

local None = core.None

-- os.environ: a dict that asks the system for what it does not have.
local class = require "moontile.python.class"
local Environ = class.make("environ", {core.types.dict}, {}, {})
Environ.module = "os"

local function get(d, name)
  local v = dict.get(d, name)
  if v == nil then
    v = os.getenv(name)
  end
  return v ~= None and v or nil
end

local function method(head, fn)
  local name, spec = head:match "^([%w_]+)%((.*)%)$"
  core.class_set(Environ, name, native.make(name, spec, fn))
end
method("__getitem__(self, key)", function(d, k)
  local v = get(d, k)
  if v == nil then
    exc.throw(exc.make(exc.classes.KeyError, k), k)
  end
  return v
end)
method("__contains__(self, key)", function(d, k) return get(d, k) ~= nil end)

-- The value, or if there is none the default, which may be False.
local function or_default(v, default)
  if v == nil then
    return default
  end
  return v
end

method("get(self, key, default?)", function(d, k, default)
  local v = get(d, k)
  return or_default(v, default == nil and None or default)
end)
method("__setitem__(self, key, value)", function(d, k, v)
  if type(v) ~= "string" then
    exc.fail("TypeError", ("str expected, not %s"):format(core.typename(v)))
  end
  dict.put(d, k, v)
  return None
end)
method("__delitem__(self, key)", function(d, k) dict.put(d, k, None) return None end)
method("setdefault(self, key, default)", function(d, k, default)
  local v = get(d, k)
  if v == nil then
    dict.put(d, k, default)
    return default
  end
  return v
end)
method("pop(self, key, default?)", function(d, k, default)
  local v = get(d, k)
  if v == nil and default == nil then
    exc.throw(exc.make(exc.classes.KeyError, k), k)
  end
  dict.put(d, k, None)
  return or_default(v, default)
end)
M.environ = Environ.construct()

local function quoted(s)
  return "'" .. s:gsub("'", "'\\''") .. "'"
end

-- Lines that a command of the shell prints; nil where there is none to ask.
local function lines(command)
  local ok, p = pcall(io.popen, command)
  if not ok or not p then
    exc.fail("OSError", "this moontile starts no other programs")
  end
  local l = {}
  for line in p:lines() do
    l[#l + 1] = line
  end
  return l, p:close()
end

local function listdir(dir)
  dir = dir == nil and "." or files.path_of(dir)
  if not path.isdir(dir) then
    files.fail("No such file or directory", 2, dir)
  end
  return core.list((lines("ls -A " .. quoted(dir))))
end

local function made(dir, parents, there)
  dir = files.path_of(dir)
  if path.exists(dir) then
    if there ~= nil and there ~= false and path.isdir(dir) then
      return None
    end
    files.fail("File exists", 17, dir)
  end
  lines("mkdir " .. (parents and "-p " or "") .. quoted(dir) .. " 2>/dev/null")
  if not path.isdir(dir) then
    files.fail("No such file or directory", 2, dir)
  end
  return None
end

-- What is there already gives way, as on all systems that this runs on.
local function renamed(a, b)
  local ok, message, code = os.rename(files.path_of(a), files.path_of(b))
  if not ok then
    files.fail(message, code, a, b)
  end
  return None
end

local function removed(name)
  name = files.path_of(name)
  local ok, message, code = os.remove(name)
  if not ok then
    files.fail(message, code, name)
  end
  return None
end

native.functions(M, {
  ["getenv(key, default?)"] = function(k, default)
    local v = get(M.environ, k)
    return or_default(v, default == nil and None or default)
  end,
  ["putenv(key, value)"] = function(k, v) dict.put(M.environ, k, v) return None end,
  ["listdir(path?)"] = listdir,
  ["makedirs(name, mode?, exist_ok?)"] = function(dir, _, there) return made(dir, true, there) end,
  ["mkdir(path, mode?)"] = function(dir) return made(dir, false) end,
  ["remove(path)"] = removed, ["unlink(path)"] = removed, ["rmdir(path)"] = removed,
  ["rename(src, dst)"] = renamed, ["replace(src, dst)"] = renamed,
  ["getcwd()"] = function() return path.cwd() end, ["cpu_count()"] = function() return 1 end,
  ["getpid()"] = function() return 1 end, ["urandom(n)"] = function(n)
    local f = io.open("/dev/urandom", "rb")
    return setmetatable({s = f and f:read(n) or ("\0"):rep(n)}, core.Bytes)
  end,
  ["system(command)"] = function(c)
    local _, _, code = os.execute(c)
    return code or 0
  end,
  ["fspath(path)"] = function(p) return files.path_of(p) end,
})
M.path = imports.module("posixpath", path)
M.error = exc.classes.OSError

return M
