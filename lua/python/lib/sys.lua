-- python/lib/sys.lua: Python's module sys.

local attr = require "moontile.python.attr"
local builtins = require "moontile.python.builtins"
local class = require "moontile.python.class"
local core = require "moontile.python.core"
local dict = require "moontile.python.dict"
local exc = require "moontile.python.exc"
local files = require "moontile.python.files"
local func = require "moontile.python.func"
local imports = require "moontile.python.imports"
local native = require "moontile.python.native"

local M = {}

local None = core.None

-- argv: the file and what followed it, as whoever runs it has set `arg`.
local function arguments()
  local l = {}
  for i = 0, #(arg or {}) do
    l[#l + 1] = arg[i]
  end
  return core.list(l)
end

local function stream(f, name)
  local s = files.wrap(f, name, "w")
  s.keep = true
  return s
end

M.argv, M.path = arguments(), imports.path
M.maxsize, M.byteorder, M.platform = math.maxinteger, "little", "linux"
M.executable, M.version, M.prefix = "moontile", "3.11.0 (moontile)", ""
M.version_info = require("moontile.python.lib.collections").info("sys.version_info",
  {"major", "minor", "micro", "releaselevel", "serial"}, {3, 11, 0, "final", 0})
M.stdin, M.stderr = stream(io.stdin, "<stdin>"), stream(io.stderr, "<stderr>")
M.stdout = stream(io.stdout, "<stdout>")
M.__stdout__, M.__stderr__ = M.stdout, M.stderr
M.modules = dict.new()
for name, m in pairs(imports.loaded) do
  dict.put(M.modules, name, m)
end

-- print goes to what sys.stdout is.
local first, plain = M.stdout, builtins.out.write
builtins.out.write = function(s)
  local m = imports.loaded.sys
  local out = m and m.stdout or first
  if out == first then
    plain(s)
  else
    func.method(out, "write", s)
  end
end

M.float_info = setmetatable({}, class.make("float_info", {core.types.object}, {}, {}).meta)
for name, v in pairs {max = 1.7976931348623157e308, min = 2.2250738585072014e-308, epsilon = 2.0 ^ -52, dig = 15} do
  attr.put(M.float_info, name, v)
end

native.functions(M, {
  ["exit(status?)"] = function(status)
    exc.throw(status == nil and exc.make(exc.classes.SystemExit) or exc.make(exc.classes.SystemExit, status))
  end,
  ["getrecursionlimit()"] = function() return 1000 end, ["setrecursionlimit(limit)"] = function() return None end,
  ["getsizeof(object)"] = function() return 64 end, ["intern(string)"] = function(s) return s end,
  ["exc_info()"] = function()
    local e = exc.handling()
    return e and core.pack(core.class_of(e), e, None) or core.pack(None, None, None)
  end,
  ["getdefaultencoding()"] = function() return "utf-8" end,
})

return M
