-- python/lib/os_path.lua: Python's module os.path.

local core = require "moontile.python.core"
local exc = require "moontile.python.exc"
local files = require "moontile.python.files"
local iter = require "moontile.python.iter"
local native = require "moontile.python.native"

local M = {sep = "/"}

local text = files.path_of

local function join(_, first, ...)
  local r = text(first)
  for i = 1, select("#", ...) do
    local p = text((select(i, ...)))
    if p:sub(1, 1) == "/" then
      r = p
    elseif r == "" or r:sub(-1) == "/" then
      r = r .. p
    else
      r = r .. "/" .. p
    end
  end
  return r
end

local function split(p)
  p = text(p)
  local head, tail = p:match "^(.*/)([^/]*)$"
  if not head then
    return "", p
  end
  return head:find "[^/]" and head:gsub("/+$", "") or head, tail
end

local function splitext(p)
  p = text(p)
  local root, ext = p:match "^(.*[^/.][^/]*)(%.[^./]*)$"
  if not root then
    return p, ""
  end
  return root, ext
end

local function normpath(p)
  p = text(p)
  local absolute, parts = p:sub(1, 1) == "/", {}
  for part in p:gmatch "[^/]+" do
    if part == ".." and #parts > 0 and parts[#parts] ~= ".." then
      parts[#parts] = nil
    elseif part ~= "." and not (part == ".." and absolute) then
      parts[#parts + 1] = part
    end
  end
  local r = (absolute and "/" or "") .. table.concat(parts, "/")
  return r == "" and "." or r
end

-- The folder in which the program runs.
local function cwd()
  return os.getenv "PWD" or "."
end

local function abspath(p)
  p = text(p)
  return normpath(p:sub(1, 1) == "/" and p or cwd() .. "/" .. p)
end

-- What a path is: "file", "folder" or nil
local function what(p)
  local f = io.open(text(p), "r")
  if not f then
    return nil
  end
  local _, _, code = f:read(0)
  f:close()
  return code == 21 and "folder" or "file"
end

local function size(p)
  local f, message, code = io.open(text(p), "r")
  if not f then
    files.fail(message, code, p)
  end
  local n = f:seek "end"
  f:close()
  return n
end

local function relpath(p, start)
  local a, b = {}, {}
  for part in abspath(p):gmatch "[^/]+" do a[#a + 1] = part end
  for part in abspath(start == nil and "." or start):gmatch "[^/]+" do b[#b + 1] = part end
  local i = 1
  while a[i] and a[i] == b[i] do
    i = i + 1
  end
  local r = {}
  for _ = i, #b do r[#r + 1] = ".." end
  table.move(a, i, #a, #r + 1, r)
  return #r > 0 and table.concat(r, "/") or "."
end

local function commonprefix(list)
  local l = iter.list(list)
  local r = l.n > 0 and l[1] or ""
  for i = 2, l.n do
    while l[i]:sub(1, #r) ~= r do
      r = r:sub(1, -2)
    end
  end
  return r
end

native.functions(M, {
  ["split(p)"] = function(p) return core.pack(split(p)) end, ["dirname(p)"] = function(p) return (split(p)) end,
  ["basename(p)"] = function(p) return select(2, split(p)) end,
  ["splitext(p)"] = function(p) return core.pack(splitext(p)) end, ["normpath(path)"] = normpath,
  ["abspath(path)"] = abspath, ["realpath(filename)"] = abspath, ["relpath(path, start?)"] = relpath,
  ["isabs(s)"] = function(p) return text(p):sub(1, 1) == "/" end,
  ["exists(path)"] = function(p) return what(p) ~= nil end, ["isfile(path)"] = function(p) return what(p) == "file" end,
  ["isdir(s)"] = function(p) return what(p) == "folder" end, ["getsize(filename)"] = size,
  ["expanduser(path)"] = function(p) return (text(p):gsub("^~", os.getenv "HOME" or "~")) end,
  ["expandvars(path)"] = function(p)
    return (text(p):gsub("%$(%w+)", os.getenv):gsub("%${(%w+)}", os.getenv))
  end,
  ["commonprefix(list)"] = commonprefix, ["cwd()"] = cwd,
  ["getmtime(filename)"] = function() exc.fail("OSError", "moontile does not read the times of files") end,
})
M.join = native.make("join", "*,", join)

return M
