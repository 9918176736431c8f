-- python/lib/inspect.lua: Python's module inspect: signatures, and what a value is.

local class = require "moontile.python.class"
local core = require "moontile.python.core"
local dict = require "moontile.python.dict"
local equal = require "moontile.python.equal"
local exc = require "moontile.python.exc"
local func = require "moontile.python.func"
local iter = require "moontile.python.iter"
local made = require "moontile.python.made"
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

-- An annotation as CPython writes it: classes of modules with those.
local function type_name(v)
  if getmt(v) ~= core.Type then
    return core.late.repr(v)
  end
  local module, name = core.late.attr(v, "__module__"), core.late.attr(v, "__qualname__")
  return module == "builtins" and name or module .. "." .. name
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
  local mt = getmt(f)
  sig = sig or mt and not mt.__user and mt.__py_signature -- what its class's __call__ says
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
  local parts, star, only = {}, false, false
  for _, p in dict.each(s.parameters) do
    if only and p.kind ~= "POSITIONAL_ONLY" then
      parts[#parts + 1] = "/"
    end
    only = p.kind == "POSITIONAL_ONLY"
    star = star or p.kind == "VAR_POSITIONAL"
    if p.kind == "KEYWORD_ONLY" and not star then
      parts[#parts + 1], star = "*", true
    end
    parts[#parts + 1] = shown(p)
  end
  parts[#parts + 1] = only and "/" or nil
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

-- Equality -----------------------------------------------------------------------

-- What two of class cls are compared by, a tuple; they hash as it does.
local function comparable(cls, basis)
  core.class_set(cls, "__eq__", native.make("__eq__", "self, other", function(a, b)
    if getmt(b) ~= cls.meta then
      return core.NotImplemented
    end
    return rawequal(a, b) or equal.eq(basis(a), basis(b))
  end))
  core.class_set(cls, "__hash__", native.make("__hash__", "self", function(s) return equal.hash(basis(s)) end))
end

local function tuple(...) return core.tuple({...}, select("#", ...)) end

comparable(Parameter, function(p) return tuple(p.name, p.kind, p.default, p.annotation) end)

-- Parameters by name alone have no order.
comparable(Signature, function(s)
  local placed, named = {}, {}
  for _, p in dict.each(s.parameters) do
    local list = p.kind == "KEYWORD_ONLY" and named or placed
    list[#list + 1] = p
  end
  table.sort(named, function(a, b) return a.name < b.name end)
  return tuple(core.tuple(placed, #placed), core.tuple(named, #named), s.return_annotation)
end)

-- Arguments ----------------------------------------------------------------------

local Arguments = library "BoundArguments"
comparable(Arguments, function(b) return tuple(b._signature, b.arguments) end)
core.class_set(Arguments, "__hash__", None)

local function refuse(text, name)
  exc.fail("TypeError", name and text:format(core.late.repr(name)) or text, nil, name)
end

local missing, positional_only = "missing a required argument: %s", "%s parameter is positional only, but was passed as a keyword"

local function by_name_alone(p)
  return p.kind == "VAR_KEYWORD" or p.kind == "KEYWORD_ONLY"
end

-- The positional arguments into d; -> the place of the first parameter that names may still give a value.
local function bind_places(list, names, partial, values, d)
  local at = 1
  for i = 1, values.n do
    local p = list[at]
    if not p or by_name_alone(p) then
      refuse "too many positional arguments"
    elseif p.kind == "VAR_POSITIONAL" then
      dict.put(d, p.name, core.tuple(table.move(values, i, values.n, 1, {}), values.n - i + 1))
      return at + 1
    elseif dict.has(names, p.name) and p.kind ~= "POSITIONAL_ONLY" then
      refuse("multiple values for argument %s", p.name)
    end
    dict.put(d, p.name, values[i])
    at = at + 1
  end
  local p = list[at]
  if p and p.kind ~= "VAR_POSITIONAL" then
    if dict.has(names, p.name) and p.kind == "POSITIONAL_ONLY" then
      refuse(positional_only, p.name)
    elseif not (dict.has(names, p.name) or p.kind == "VAR_KEYWORD" or p.default ~= empty or partial) then
      refuse(missing, p.name)
    end
  end
  return at
end

-- The arguments by name into d, for the parameters from place `at` on.
local function bind_names(list, at, names, partial, d)
  local rest
  for i = at, #list do
    local p = list[i]
    if p.kind == "VAR_KEYWORD" then
      rest = p.name
    elseif p.kind ~= "VAR_POSITIONAL" then
      if not dict.has(names, p.name) then
        if not partial and p.default == empty then
          refuse(missing, p.name)
        end
      elseif p.kind == "POSITIONAL_ONLY" then
        refuse(positional_only, p.name)
      else
        dict.put(d, p.name, dict.get(names, p.name))
        dict.remove(names, p.name)
      end
    end
  end
  local extra
  for name in dict.each(names) do
    extra = extra or name
  end
  if extra and not rest then
    refuse("got an unexpected keyword argument %s", extra)
  elseif extra then
    dict.put(d, rest, names)
  end
end

-- Signature.bind, bind_partial: what each parameter gets, as CPython's inspect goes about it.
local function binder(name, partial)
  core.class_set(Signature, name, native.make("Signature." .. name, "**", function(kw, s, ...)
    local list, names, d = {}, dict.new(), dict.new()
    for _, p in dict.each(s.parameters) do
      list[#list + 1] = p
    end
    for k, v in dict.each(kw or names) do
      dict.put(names, k, v)
    end
    local at = bind_places(list, names, partial, core.pack(...), d)
    bind_names(list, at, names, partial, d)
    return setmetatable({arguments = d, _signature = s}, Arguments.meta)
  end))
end
binder("bind", false)
binder("bind_partial", true)

-- The arguments by position up to the first that has no value, and all behind it by name.
local function split(b)
  local list, names, named = {}, dict.new(), false
  for name, p in dict.each(b._signature.parameters) do
    local has = dict.has(b.arguments, name)
    named = named or by_name_alone(p) or not has
    local v = has and dict.get(b.arguments, name)
    if has and named and p.kind == "VAR_KEYWORD" then
      for k, each in dict.each(v) do
        dict.put(names, k, each)
      end
    elseif has and named then
      dict.put(names, name, v)
    elseif has and p.kind == "VAR_POSITIONAL" then
      for each in iter.iter(v) do
        list[#list + 1] = each
      end
    elseif has then
      list[#list + 1] = v
    end
  end
  return core.tuple(list), names
end

made.properties(Arguments, {
  args = function(b) return (split(b)) end,
  kwargs = function(b) return (select(2, split(b))) end,
  signature = function(b) return b._signature end,
})
made.methods(Arguments, {
  ["apply_defaults(self)"] = function(b)
    local d, none = dict.new(), {VAR_POSITIONAL = core.tuple {}, VAR_KEYWORD = dict.new()}
    for name, p in dict.each(b._signature.parameters) do
      local v = none[p.kind]
      if dict.has(b.arguments, name) then
        v = dict.get(b.arguments, name)
      elseif p.default ~= empty then
        v = p.default
      end
      if v ~= nil then
        dict.put(d, name, v)
      end
    end
    b.arguments = d
    return None
  end,
  ["__repr__(self)"] = function(b)
    local parts = {}
    for name, v in dict.each(b.arguments) do
      parts[#parts + 1] = name .. "=" .. core.late.repr(v)
    end
    return ("<BoundArguments (%s)>"):format(table.concat(parts, ", "))
  end,
})

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
M.Parameter, M.Signature, M.BoundArguments, M._empty = Parameter, Signature, Arguments, empty

return M
