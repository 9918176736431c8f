-- python/lib/inspect.lua: Python's module inspect: signatures, and what a value is.

local class = require "moontile.python.class"
local core = require "moontile.python.core"
local dict = require "moontile.python.dict"
local exc = require "moontile.python.exc"
local func = require "moontile.python.func"
local iter = require "moontile.python.iter"
local native = require "moontile.python.native"
local place = require "moontile.base.place"

local M = {}

local sigs, None = core.sigs, core.None
local getmt = debug.getmetatable

local function library(name)
  local cls = class.make(name, {core.types.object}, {}, {})
  cls.module = "inspect"
  return cls
end

local Parameter, Signature = library "Parameter", library "Signature"
local empty = library "_empty"
for _, name in ipairs {"POSITIONAL_ONLY", "POSITIONAL_OR_KEYWORD", "VAR_POSITIONAL", "KEYWORD_ONLY", "VAR_KEYWORD"} do
  core.class_set(Parameter, name, name)
end
core.class_set(Parameter, "empty", empty)
core.class_set(Signature, "empty", empty)

local function parameter(name, kind, default, annotation)
  return setmetatable({name = name, kind = kind, default = default == nil and empty or default,
    annotation = annotation == nil and empty or annotation}, Parameter.meta)
end

local function type_name(v)
  return getmt(v) == core.Type and v.name or core.late.repr(v)
end

local function shown(p)
  local s = p.kind == "VAR_POSITIONAL" and "*" .. p.name or p.kind == "VAR_KEYWORD" and "**" .. p.name or p.name
  if p.annotation ~= empty then
    s = s .. ": " .. type_name(p.annotation)
  end
  if p.default ~= empty then
    s = s .. (p.annotation ~= empty and " = " or "=") .. core.late.repr(p.default)
  end
  return s
end

local function signature(f)
  local skip = 0
  local sig = sigs[f]
  if sig and sig.of then
    sig, skip = sigs[sig.of], 1
  elseif getmt(f) == core.Type then
    sig, skip = sigs[f.special.__init__ or f.construct], 1
  elseif not sig and core.user_special(f, "__call__") then
    sig, skip = sigs[core.user_special(f, "__call__")], 1
  end
  if not sig then
    exc.fail("TypeError", ("%s is not a callable object"):format(core.late.repr(f)))
  end
  local d = dict.new()
  local function put(name, kind, i)
    local note = sig.annotation and (sig.annotation[i] or sig.annotation[name])
    dict.put(d, name, parameter(name, kind, sig.default and (sig.default[i] == nil and sig.default[name]
      or sig.default[i]), note and note()))
  end
  for i = 1 + skip, sig.npos do
    put(sig[i], i <= (sig.posonly or 0) and "POSITIONAL_ONLY" or "POSITIONAL_OR_KEYWORD", i)
  end
  if sig.vararg then
    put(sig.vararg, "VAR_POSITIONAL", -1)
  end
  for i = sig.npos + 1, #sig do
    put(sig[i], "KEYWORD_ONLY", i)
  end
  if sig.kwarg then
    put(sig.kwarg, "VAR_KEYWORD", -1)
  end
  return setmetatable({parameters = d, return_annotation = sig.returns and sig.returns() or empty}, Signature.meta)
end

core.class_set(Signature, "__str__", native.make("__str__", "self", function(s)
  local parts, star = {}, false
  for _, p in dict.each(s.parameters) do
    star = star or p.kind == "VAR_POSITIONAL"
    if p.kind == "KEYWORD_ONLY" and not star then
      parts[#parts + 1], star = "*", true
    end
    parts[#parts + 1] = shown(p)
  end
  local r = s.return_annotation
  return "(" .. table.concat(parts, ", ") .. ")" .. (r ~= empty and " -> " .. type_name(r) or "")
end))
core.class_set(Signature, "__repr__", native.make("__repr__", "self", function(s)
  return "<Signature " .. core.late.str(s) .. ">"
end))
core.class_set(Parameter, "__str__", native.make("__str__", "self", shown))
core.class_set(Parameter, "__repr__", native.make("__repr__", "self", function(p)
  return ('<Parameter "%s">'):format(shown(p))
end))

-- A copy with some fields changed.
local function replace(cls, names)
  core.class_set(cls, "replace", native.make("replace", "self, *, " .. table.concat(names, ", "), function(o, ...)
    local copy = {}
    for k, v in pairs(o) do
      copy[k] = v
    end
    for i, name in ipairs(names) do
      local v = (select(i, ...))
      if v ~= nil and name == "parameters?" then
        local by = dict.new()
        for p in iter.iter(v) do
          dict.put(by, p.name, p)
        end
        copy.parameters = by
      elseif v ~= nil then
        copy[name:gsub("?", "")] = v
      end
    end
    return setmetatable(copy, cls.meta)
  end))
end
replace(Parameter, {"name?", "kind?", "default?", "annotation?"})
replace(Signature, {"parameters?", "return_annotation?"})

-- The lines of a function as they stand in its file.
local function source(f)
  local info = debug.getinfo(f, "S")
  local lines = {}
  for n = info.linedefined, info.lastlinedefined do
    lines[#lines + 1] = place.line(info.source, n)
  end
  if #lines == 0 then
    exc.fail("OSError", "could not get source code")
  end
  return table.concat(lines, "\n") .. "\n"
end

local function user_function(f)
  return type(f) == "function" and sigs[f] ~= nil and not sigs[f].native and not sigs[f].of
end

native.functions(M, {
  ["signature(callable)"] = signature, ["isfunction(object)"] = user_function, ["getsource(object)"] = source,
  ["isclass(object)"] = function(v) return getmt(v) == core.Type end,
  ["ismethod(object)"] = function(v) return type(v) == "function" and sigs[v] ~= nil and sigs[v].of ~= nil end,
  ["ismodule(object)"] = function(v) return getmt(v) == core.Module end,
  ["isbuiltin(object)"] = function(v) return type(v) == "function" and sigs[v] ~= nil and sigs[v].native == true end,
  ["isgenerator(object)"] = function(v) return getmt(v) == core.Generator end,
  ["getdoc(object)"] = function(v)
    local doc = core.late.attr_or_nil(v, "__doc__")
    if type(doc) ~= "string" then
      return None
    end
    return func.call(require("moontile.python.lib.textwrap").cleandoc, doc)
  end,
  ["getfile(object)"] = function(f) return (debug.getinfo(f, "S").source:gsub("^[@=]", "")) end,
  ["cleandoc(doc)"] = function(doc) return func.call(require("moontile.python.lib.textwrap").cleandoc, doc) end,
})
M.Parameter, M.Signature, M._empty = Parameter, Signature, empty

return M
