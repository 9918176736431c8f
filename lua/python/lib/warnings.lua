-- python/lib/warnings.lua: Python's module warnings: warn prints, or goes into the list of catch_warnings(record=True),
-- or raises where a filter says "error".

local class = require "moontile.python.class"
local core = require "moontile.python.core"
local diag = require "moontile.diag"
local exc = require "moontile.python.exc"
local func = require "moontile.python.func"
local imports = require "moontile.python.imports"
local made = require "moontile.python.made"
local native = require "moontile.python.native"

local M = {}

local None = core.None
-- What is done: filters, the last one first; recorded: the list that takes warnings, or nil.
local state = {filters = {}}
local printed = {} -- what was said already, with its place

local Message = made.class("WarningMessage", "warnings", {})

-- The action for a warning of this class and text.
local function action_of(category, text)
  for i = #state.filters, 1, -1 do
    local f = state.filters[i]
    if core.subclass(category, f.category) and (f.message == nil or func.method(f.message, "match", text) ~= None) then
      return f.action
    end
  end
  for _, name in ipairs {"PendingDeprecationWarning", "ImportWarning", "ResourceWarning"} do
    if core.subclass(category, exc.classes[name]) then
      return "ignore"
    end
  end
  return "default"
end

local function warn(message, category)
  local given = message
  if exc.is(message) then
    category, message = core.class_of(message), exc.str(message)
  end
  category = (category == nil or category == None) and exc.classes.UserWarning or category
  local action = action_of(category, message)
  if action == "ignore" then
    return None
  elseif action == "error" then
    exc.throw(exc.is(given) and given or exc.make(category, message))
  end
  local chunk, line = diag.where()
  local file = (chunk or ""):gsub("^[@=]", "")
  if state.recorded then
    func.method(state.recorded, "append", made.object(Message, {message = exc.is(given) and given or exc.make(category, message),
      category = category, filename = file, lineno = line or 0}))
    return None
  end
  local once = ("%s:%s:%s:%s"):format(file, line, category.name, message)
  if action ~= "always" and printed[once] then
    return None
  end
  printed[once] = true
  func.method(imports.import "sys".stderr, "write", ("%s:%d: %s: %s\n"):format(file, line, category.name, core.late.str(message)))
  return None
end

local function filter(action, message, category)
  message = message ~= nil and message ~= None and message ~= "" and func.call(imports.import "re".compile, message) or nil
  table.insert(state.filters, {action = action, message = message, category = (category == nil or category == None)
    and exc.classes.Warning or category})
  return None
end

M.catch_warnings = class.make("catch_warnings", {core.types.object}, {}, {})
for head, fn in pairs {
  ["__init__(self, *, record, action)"] = function(m, record, action)
    m.record, m.action = record == true, action
    return None
  end,
  ["__enter__(self)"] = function(m)
    m.old = state
    state = {filters = table.move(state.filters, 1, #state.filters, 1, {}), recorded = m.record and core.list {} or state.recorded}
    if m.action ~= nil and m.action ~= None then
      filter(m.action)
    end
    return m.record and state.recorded or None
  end,
  ["__exit__(self, kind, value, traceback)"] = function(m) state = m.old return None end,
} do
  local name, spec = head:match "^([%w_]+)%((.*)%)$"
  core.class_set(M.catch_warnings, name, native.make(name, spec, fn))
end

native.functions(M, {
  ["warn(message, category?, stacklevel?)"] = warn,
  ["simplefilter(action, category?, lineno?, append?)"] = function(action, category) return filter(action, nil, category) end,
  ["filterwarnings(action, message?, category?, module?, lineno?, append?)"] = filter,
  ["resetwarnings()"] = function() state.filters = {} return None end,
})

return M
