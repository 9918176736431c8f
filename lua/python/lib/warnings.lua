-- python/lib/warnings.lua: Python's module warnings: warn prints.

local class = require "moontile.python.class"
local core = require "moontile.python.core"
local diag = require "moontile.diag"
local exc = require "moontile.python.exc"
local func = require "moontile.python.func"
local imports = require "moontile.python.imports"
local native = require "moontile.python.native"

local M = {}

local None = core.None
local off = {} -- set by simplefilter("ignore")

local function warn(message, category)
  if off.all then
    return None
  elseif exc.is(message) then
    category, message = core.class_of(message), exc.str(message)
  end
  local chunk, line = diag.where()
  local file = (chunk or ""):gsub("^[@=]", "")
  func.method(imports.import "sys".stderr, "write", ("%s:%d: %s: %s\n"):format(file, line, category ~= nil and category ~= None and category.name
    or "UserWarning", core.late.str(message)))
  return None
end

local function filter(action)
  off.all = action == "ignore"
  return None
end

M.catch_warnings = class.make("catch_warnings", {core.types.object}, {}, {})
for head, fn in pairs {
  ["__init__(self, *, record)"] = function() return None end,
  ["__enter__(self)"] = function(m) m.old = off.all or false return core.list {} end,
  ["__exit__(self, kind, value, traceback)"] = function(m) off.all = m.old return None end,
} do
  local name, spec = head:match "^([%w_]+)%((.*)%)$"
  core.class_set(M.catch_warnings, name, native.make(name, spec, fn))
end

native.functions(M, {
  ["warn(message, category?, stacklevel?)"] = warn,
  ["simplefilter(action, category?)"] = filter, ["filterwarnings(action, message?, category?, module?)"] = filter,
  ["resetwarnings()"] = function() off.all = false return None end,
})

return M
