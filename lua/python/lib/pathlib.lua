-- python/lib/pathlib.lua: Python's module pathlib: paths of POSIX systems.

local attr = require "moontile.python.attr"
local class = require "moontile.python.class"
local core = require "moontile.python.core"
local exc = require "moontile.python.exc"
local files = require "moontile.python.files"
local func = require "moontile.python.func"
local iter = require "moontile.python.iter"
local native = require "moontile.python.native"
local os_module = require "moontile.python.lib.os"
local path = require "moontile.python.lib.os_path"
local builtins = require "moontile.python.builtins"

local M = {}

local None = core.None

local Path = class.make("Path", {core.types.object}, {}, {})
Path.module = "pathlib"
M.Path, M.PurePath, M.PosixPath, M.PurePosixPath = Path, Path, Path, Path

local function clean(s)
  s = s:gsub("/+", "/"):gsub("/%./", "/"):gsub("^%./", ""):gsub("(.)/$", "%1"):gsub("/%.$", "")
  return s == "" and "." or s
end

local function new(s)
  return setmetatable({text = clean(s)}, Path.meta)
end

local function text(p)
  local mt = debug.getmetatable(p)
  return mt == Path.meta and p.text or files.path_of(p)
end

core.class_set(Path, "__new__", native.make("Path.__new__", "**", function(_, _, ...)
  if select("#", ...) == 0 then
    return new "."
  end
  local parts = {...}
  for i, p in ipairs(parts) do
    parts[i] = text(p)
  end
  return new(func.call(path.join, table.unpack(parts)))
end))
Path.construct = function(...) return func.call(Path.special.__new__, Path, ...) end

local function basename(p)
  local s = p.text:match "[^/]*$"
  return s == "." and "" or s
end

local function suffix(p)
  return basename(p):match "^.+(%.[^.]+)$" or ""
end

local function stem(p)
  local s, e = basename(p), suffix(p)
  return e == "" and s or s:sub(1, -#e - 1)
end

local function parent(p)
  local s = p.text:match "^(.*)/[^/]*$"
  return new(s == "" and "/" or s or ".")
end

local function open(p, ...)
  return func.call(builtins.names.open, p.text, ...)
end

local function with_file(p, mode, f, encoding)
  local file = open(p, mode, None, encoding)
  local r = f(file)
  func.method(file, "close")
  return r
end

local function is(name)
  return function(p) return func.call(path[name], p.text) end
end

local function join(p, q)
  return new(func.call(path.join, p.text, text(q)))
end

-- Names in a folder that fit a pattern of the shell's.
local function glob(p, pattern, deep)
  local found = {}
  local fits = "^" .. pattern:gsub("^%*%*/", ""):gsub("[%^%$%(%)%%%.%[%]%+%-]", "%%%0"):gsub("%*", "[^/]*"):gsub("%?", "[^/]") .. "$"
  local function look(folder)
    local names = func.call(os_module.listdir, folder.text)
    for i = 1, names.n do
      local q = join(folder, names[i])
      if names[i]:find(fits) then
        found[#found + 1] = q
      end
      if deep and is "isdir"(q) then
        look(q)
      end
    end
  end
  look(p)
  return iter.object(core.list(found))
end

for head, fn in pairs {
  ["__str__(self)"] = function(p) return p.text end, ["__fspath__(self)"] = function(p) return p.text end,
  ["__repr__(self)"] = function(p) return "PosixPath('" .. p.text .. "')" end,
  ["__truediv__(self, other)"] = join, ["__rtruediv__(self, other)"] = function(p, q) return new(text(q) .. "/" .. p.text) end,
  ["__eq__(self, other)"] = function(p, q)
    local mt = debug.getmetatable(q)
    return mt == Path.meta and p.text == q.text
  end,
  ["__lt__(self, other)"] = function(p, q) return p.text < q.text end,
  ["__hash__(self)"] = function(p) return func.call(builtins.functions.hash, p.text) end,
  ["joinpath(self, other)"] = join, ["exists(self)"] = is "exists", ["is_file(self)"] = is "isfile",
  ["is_dir(self)"] = is "isdir", ["is_absolute(self)"] = is "isabs", ["as_posix(self)"] = function(p) return p.text end,
  ["resolve(self)"] = function(p) return new(func.call(path.abspath, p.text)) end,
  ["absolute(self)"] = function(p) return new(func.call(path.abspath, p.text)) end,
  ["expanduser(self)"] = function(p) return new(func.call(path.expanduser, p.text)) end,
  ["relative_to(self, other)"] = function(p, q)
    local s = text(q)
    if p.text:sub(1, #s + 1) ~= s .. "/" then
      exc.fail("ValueError", ("'%s' is not in the subpath of '%s'"):format(p.text, s))
    end
    return new(p.text:sub(#s + 2))
  end,
  ["with_suffix(self, suffix)"] = function(p, s)
    local own = suffix(p)
    return new((own == "" and p.text or p.text:sub(1, -#own - 1)) .. s)
  end,
  ["with_name(self, name)"] = function(p, s) return join(parent(p), s) end,
  ["open(self, mode?, buffering?, encoding?)"] = function(p, mode, buffering, encoding)
    return open(p, mode or "r", buffering, encoding)
  end,
  ["read_text(self, encoding?)"] = function(p, encoding)
    return with_file(p, "r", function(f) return func.method(f, "read") end, encoding)
  end,
  ["read_bytes(self)"] = function(p) return with_file(p, "rb", function(f) return func.method(f, "read") end) end,
  ["write_text(self, data, encoding?)"] = function(p, s, encoding)
    return with_file(p, "w", function(f) return func.method(f, "write", s) end, encoding)
  end,
  ["mkdir(self, mode?, parents?, exist_ok?)"] = function(p, _, parents, there)
    if parents then
      return func.callk(os_module.makedirs, {"exist_ok"}, p.text, there or false)
    end
    return there and is "isdir"(p) and None or func.call(os_module.mkdir, p.text)
  end,
  ["unlink(self, missing_ok?)"] = function(p, missing)
    return missing and not is "exists"(p) and None or func.call(os_module.remove, p.text)
  end,
  ["iterdir(self)"] = function(p) return glob(p, "*") end,
  ["glob(self, pattern)"] = function(p, s) return glob(p, s, s:find "^%*%*/") end,
  ["rglob(self, pattern)"] = function(p, s) return glob(p, s, true) end,
} do
  local name, spec = head:match "^([%w_]+)%((.*)%)$"
  core.class_set(Path, name, native.make("Path." .. name, spec, fn))
end

local function property(name, f)
  core.class_set(Path, name, setmetatable({fget = native.make(name, "self", f)}, attr.Property))
end
property("name", basename)
property("suffix", suffix)
property("stem", stem)
property("parent", parent)
property("parts", function(p)
  local l = {}
  if p.text:sub(1, 1) == "/" then
    l[1] = "/"
  end
  for part in p.text:gmatch "[^/]+" do
    l[#l + 1] = part
  end
  return core.tuple(l)
end)
property("parents", function(p)
  local l = {}
  while p.text ~= "/" and p.text ~= "." do
    p = parent(p)
    l[#l + 1] = p
  end
  return core.tuple(l)
end)
for name, f in pairs {cwd = path.cwd, home = native.make("home", "", function() return os.getenv "HOME" or "/" end)} do
  core.class_set(Path, name, setmetatable({f = native.make(name, "cls", function() return new(func.call(f)) end)},
    attr.Classmethod))
end

return M
