-- python/imports.lua: import statements: modules of the library, of moontile, and the user's own files.
--
-- A module of the library is lua/python/lib/NAME.lua, which returns a table of names; it is loaded when
-- somebody asks for it.  Those who embed the run-time add others:
-- M.loaders[name] = function(P) -> module, M.families[first part of names] = function() that adds to loaders, and
-- M.find = function(name, level) -> module or nil for files.

local core = require "moontile.python.core"
local exc = require "moontile.python.exc"
local near_names = require "moontile.python.near"

local M = {loaded = {}, loaders = {}, families = {}, find = nil, path = core.list {}} -- path: sys.path

local Shown = 24 -- names that a message lists

-- Modules of lib/, and the file where that has another name.
local library = {
  math = "math", itertools = "itertools", functools = "functools", operator = "operator", typing = "typing",
  collections = "collections", ["collections.abc"] = "collections_abc", dataclasses = "dataclasses", enum = "enum",
  argparse = "argparse", time = "time", os = "os", ["os.path"] = "os_path", sys = "sys", json = "json",
  random = "random", copy = "copy", string = "string", contextlib = "contextlib", warnings = "warnings",
  logging = "logging", abc = "abc", pathlib = "pathlib", inspect = "inspect", __future__ = "future",
  types = "types", builtins = "builtins_module", statistics = "statistics", heapq = "heapq", datetime = "datetime", tempfile = "tempfile", bisect = "bisect", io = "io", typing_extensions = "typing",
  textwrap = "textwrap", pprint = "pprint", traceback = "traceback", re = "re",
  hashlib = "hashlib", shutil = "shutil", tqdm = "tqdm", packaging = "packaging", ["packaging.version"] = "packaging_version", gc = "gc",
}

-- Packages whose programs want what is not to be had here: the row that says what to do instead.
local instead = {}
for root in ("urllib socket ssl http requests httpx aiohttp ftplib smtplib wget huggingface_hub urllib3"):gmatch "%S+" do
  instead[root] = "py_import_net"
end

local ours = {} -- the first parts of names whose families were added

-- From now on M.loaders has what the family adds.
local function gather(root)
  local add = M.families[root]
  M.families[root], ours[root] = nil, ours[root] or add ~= nil
  if add then
    add()
  end
end

-- full: with the parts behind it.
local function unknown(name, full)
  local names, beside, seen = {}, {}, {} -- all; those in the same module
  local parent = name:match "^.*%." or ""
  for root in pairs(M.families) do
    gather(root)
  end
  for _, t in ipairs {library, M.loaders} do
    for n in pairs(t) do
      names[#names + 1] = n
      local inner = n:sub(1, #parent) == parent and n:sub(#parent + 1)
      beside[#beside + 1] = inner and not inner:find(".", 1, true) and not seen[n] and n or nil
      seen[n] = true
    end
  end
  table.sort(names)
  table.sort(beside)
  local near = near_names.module(name, names)
  local e = exc.classes.ModuleNotFoundError
  local folder = M.around and M.around(full)
  if folder then
    exc.fail(e.name, ("No module named '%s'"):format(name), "py_import_around", name, full, folder)
  end
  if instead[name:match "^[^.]*"] then
    exc.fail(e.name, ("No module named '%s'"):format(name), instead[name:match "^[^.]*"], name)
  end
  local row = near and "py_import_near" or #beside > 0 and "py_import_names" or "py_import"
  exc.fail(e.name, ("No module named '%s'"):format(name), row, name, near or table.concat(beside, ", "))
end

-- Is there a module of this name, which has no dots?
function core.late.has_module(name)
  return library[name] ~= nil or M.families[name] ~= nil or M.loaders[name] ~= nil or M.loaded[name] ~= nil
end

-- Values of a table as a module.
function M.module(name, values)
  local m = {__name__ = name}
  for k, v in pairs(values) do
    m[k] = v
  end
  return setmetatable(m, core.Module)
end

-- A part of a package that is here is never taken from files: an installed TileLang or torch, or a checkout of
-- it beside the program, would be mixed with ours.
local function load(name)
  local root = name:match "^[^.]*"
  gather(root)
  local make = M.loaders[name]
  if make then
    return make(M.P)
  elseif library[name] then
    return M.module(name, require("moontile.python.lib." .. library[name]))
  end
  if not M.find or ours[root] or library[root] then
    return nil
  end
  return M.find(name, 0)
end

-- The module of a full name; nil: there is none.
local function get(name)
  local m = M.loaded[name]
  if not m then
    m = load(name)
    M.loaded[name] = m
  end
  return m
end

-- A part of a module that is loaded when somebody names it, or nil.
function core.late.submodule(m, name)
  local full = type(name) == "string" and m.__name__ .. "." .. name
  return full and M.loaders[full] and get(full) or nil
end

-- Loads a.b.c from the left, and hangs each at the one before.
local function walk(name)
  local at, parent, first = nil, nil, nil
  for part in name:gmatch "[^.]+" do
    at = at and at .. "." .. part or part
    local m = get(at)
    if not m and parent then
      m = core.late.module_attr(parent, part) or parent[part]
      M.loaded[at] = m
    end
    if not m then
      unknown(at, name)
    end
    if parent and getmetatable(parent) == core.Module and parent[part] == nil then
      parent[part] = m
    end
    parent, first = m, first or m
  end
  return parent, first
end

-- In a package: of its name without the last level - 1 parts.  Elsewhere beside the file that runs.
local function relative(level, name)
  local package = M.package and M.package()
  for _ = 2, package and level or 1 do
    package = package and package:match "^(.*)%."
  end
  if package then
    return (walk(name and name ~= "" and package .. "." .. name or package))
  end
  local m = M.find and M.find(name or "", level)
  if not m then
    exc.fail("ImportError", "attempted relative import with no known parent package", nil, name)
  end
  return m
end

-- import a.b -> the module a.  import_(level, "b") for leading dots.
function M.import(name, rest)
  if type(name) == "number" then
    return relative(name, rest)
  end
  local _, first = walk(name)
  return first
end

-- import a.b as c -> the module a.b
function M.import_as(name)
  return (walk(name))
end

-- from a import name; with a number in front: from ..a import name
function M.import_from(module, name, rest)
  local m
  if type(module) == "number" then
    m = relative(module, name)
    module, name = rawget(m, "__name__") or name, rest
  else
    m = walk(module)
  end
  local v = core.late.attr_or_nil(m, name)
  if v == nil and type(module) == "string" and module ~= "" then
    v = get(module .. "." .. name)
  end
  if v == nil then
    local names = {}
    for _, n in ipairs(core.late.names(m)) do
      names[#names + 1] = not n:find "^_" and n or nil
    end
    local near = near_names.short[name] or near_names.find(name, names)
    local text = ("cannot import name '%s' from '%s' (unknown location)"):format(name, module)
    if near then
      exc.fail("ImportError", text, "py_import_near", name, near)
    elseif #names > 0 and #names <= Shown then
      exc.fail("ImportError", text, "py_import_names", name, table.concat(names, ", "))
    end
    exc.fail("ImportError", text, #names > 0 and "py_import_many" or "py_import", name, module)
  end
  return v
end

-- from a import *: name -> value
function M.star(module)
  local m = type(module) == "string" and walk(module) or module
  local names = {}
  local all = m.__all__
  if all then
    for i = 1, all.n do
      names[all[i]] = core.late.attr(m, all[i])
    end
    return names
  end
  for _, name in ipairs(core.late.names(m)) do
    if name:sub(1, 1) ~= "_" then
      names[name] = core.late.attr_or_nil(m, name)
    end
  end
  return names
end


return M
