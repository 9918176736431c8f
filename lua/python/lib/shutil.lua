-- python/lib/shutil.lua: Python's module shutil: copies of files, which(), sizes of a terminal.

local core = require "moontile.python.core"
local exc = require "moontile.python.exc"
local files = require "moontile.python.files"
local func = require "moontile.python.func"
local native = require "moontile.python.native"

local M = {}

local function contents(path)
  local f, message, code = io.open(files.path_of(path), "rb")
  local s = f and f:read "a"
  if f then f:close() end
  return s or files.fail(message or "Is a directory", code or 21, files.path_of(path))
end

local function write(path, s)
  local f, message, code = io.open(path, "wb")
  if not f then files.fail(message, code, path) end
  local ok, why, n = f:write(s)
  local closed, why_closed, m = f:close()
  if not ok or not closed then files.fail(why or why_closed, n or m, path) end
end

local function isdir(path)
  local f = io.open(path, "rb")
  local _, _, code = nil, nil, nil
  if f then
    _, _, code = f:read(0)
    f:close()
  end
  return code == 21
end

-- Copies a file to a file; into a folder only where `into`.
local function copy(into)
  return function(from, to)
    local s = contents(from)
    local a, b = files.path_of(from), files.path_of(to)
    if into and isdir(b) then
      b = b:gsub("/+$", "") .. "/" .. a:match "[^/]*$"
    end
    if a == b then
      exc.throw(exc.make(M.SameFileError, ("'%s' and '%s' are the same file"):format(a, b)))
    end
    write(b, s)
    return into and b or to
  end
end

-- The program that a shell would run, or None.
local function which(name)
  if name:find("/", 1, true) then
    local f = io.open(name, "rb")
    if f then f:close() end
    return f and name or core.None
  end
  for folder in (os.getenv "PATH" or ""):gmatch "[^:]+" do
    local f = io.open(folder .. "/" .. name, "rb")
    if f then
      f:close()
      return folder .. "/" .. name
    end
  end
  return core.None
end

-- A folder with all that is in it; a link is removed, not followed.
local function rmtree(path, ignore)
  local os_module = require "moontile.python.lib.os"
  path = files.path_of(path)
  local function remove(name)
    if isdir(name) and not os.remove(name) then -- it is no link and not empty
      for _, part in ipairs(func.call(os_module.listdir, name)) do
        remove(name .. "/" .. part)
      end
    end
    local ok, message, code = os.remove(name)
    if not ok and code ~= 2 then
      files.fail(message, code, name)
    end
  end
  if not isdir(path) then
    return ignore == true and core.None or files.fail("No such file or directory", 2, path)
  end
  remove(path)
  return core.None
end

M.SameFileError = exc.classes.OSError
native.functions(M, {
  ["copyfile(src, dst)"] = copy(false), ["copy(src, dst)"] = copy(true), ["which(cmd)"] = which,
  ["rmtree(path, ignore_errors?, onerror?)"] = rmtree,
})

return M
