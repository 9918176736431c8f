-- python/lib/argparse.lua: Python's module argparse: options and positional arguments, --help, errors with
-- exit status 2, as CPython words them.

local attr = require "moontile.python.attr"
local builtins = require "moontile.python.builtins"
local class = require "moontile.python.class"
local core = require "moontile.python.core"
local dict = require "moontile.python.dict"
local equal = require "moontile.python.equal"
local exc = require "moontile.python.exc"
local format = require "moontile.python.format"
local func = require "moontile.python.func"
local help = require "moontile.python.lib.argparse_help"
local imports = require "moontile.python.imports"
local index = require "moontile.python.index"
local iter = require "moontile.python.iter"
local native = require "moontile.python.native"

local M = {SUPPRESS = "==SUPPRESS==", REMAINDER = "...", OPTIONAL = "?", ZERO_OR_MORE = "*", ONE_OR_MORE = "+"}

local None = core.None
local getmt = debug.getmetatable
local repr, str = core.late.repr, core.late.str

-- Namespace -------------------------------------------------------------------------------------------

local Namespace = class.make("Namespace", {core.types.object}, {}, {})
Namespace.module = "argparse"
local function method(cls, head, fn)
  local name, spec = head:match "^([%w_]+)%((.*)%)$"
  core.class_set(cls, name, native.make(cls.name .. "." .. name, spec, fn))
end
core.class_set(Namespace, "__init__", native.make("Namespace.__init__", "**", function(kw, o)
  for k, v in dict.each(kw or dict.new()) do
    attr.put(o, k, v)
  end
  return None
end))
method(Namespace, "__repr__(self)", function(o)
  local parts = {}
  for k, v in dict.each(attr.own_dict(o)) do
    parts[#parts + 1] = k .. "=" .. repr(v)
  end
  return core.typename(o) .. "(" .. table.concat(parts, ", ") .. ")"
end)
method(Namespace, "__eq__(self, other)", function(a, b)
  return core.class_of(a) == core.class_of(b) and equal.same(attr.own_dict(a), attr.own_dict(b))
end)
method(Namespace, "__contains__(self, key)", function(o, k) return o[k] ~= nil end)
M.Namespace = Namespace

-- Declaring -------------------------------------------------------------------------------------------

local Parser = class.make("ArgumentParser", {core.types.object}, {}, {})
Parser.module = "argparse"
M.ArgumentParser = Parser

-- Where a parser keeps its own things: {actions =, kw =, groups =, defaults =}
local STATE = {}

local function option(kw, name)
  local v = kw and dict.get(kw, name)
  return v ~= None and v or nil
end

local function program(kw)
  local m = imports.loaded.sys
  local argv = m and m.argv or imports.import "sys".argv
  return option(kw, "prog") or (argv[1] or ""):match "[^/]*$"
end

local function new_state(kw)
  return {actions = {}, prog = program(kw), description = option(kw, "description"), epilog = option(kw, "epilog"),
    usage = option(kw, "usage"), formatter = option(kw, "formatter_class"), defaults = {}, groups = {}, exclusive = {}}
end

-- What add_argument says as an action: {flags, dest, kind, nargs, ..}
local function new_action(kw, ...)
  local names = {...}
  local a = {flags = {}, kw = kw, kind = option(kw, "action") or "store", nargs = option(kw, "nargs"),
    type = option(kw, "type"), choices = option(kw, "choices"), help = option(kw, "help"),
    metavar = option(kw, "metavar"), required = option(kw, "required") or false, const = option(kw, "const")}
  a.default = kw and dict.get(kw, "default")
  if #names > 0 and names[1]:find "^%-" then
    a.flags = names
    local long
    for _, f in ipairs(names) do
      long = long or f:find "^%-%-" and f or nil
    end
    a.dest = option(kw, "dest") or (long or names[1]):gsub("^%-+", ""):gsub("-", "_")
  else
    a.dest = names[1] or option(kw, "dest")
    a.positional, a.required = true, a.nargs ~= "?" and (a.nargs ~= "*" or a.default == nil)
  end
  return a
end

-- Defaults and values of each kind of action.
local kinds = {
  store = function() end, append = function() end, extend = function() end,
  store_const = function(a) a.nargs = 0 end, append_const = function(a) a.nargs = 0 end,
  store_true = function(a)
    a.nargs, a.const = 0, true
    a.default = a.default or false
  end,
  store_false = function(a)
    a.nargs, a.const = 0, false
    a.default = a.default == nil or a.default
  end,
  count = function(a) a.nargs = 0 end, help = function(a) a.nargs, a.default = 0, M.SUPPRESS end,
  version = function(a) a.nargs, a.default, a.version = 0, M.SUPPRESS, option(a.kw, "version") end,
  boolean = function(a)
    a.nargs = 0
    for _, f in ipairs(table.move(a.flags, 1, #a.flags, 1, {})) do
      if f:find "^%-%-" then
        a.flags[#a.flags + 1] = "--no-" .. f:sub(3)
      end
    end
  end,
}
M.BooleanOptionalAction = setmetatable({}, {__name = "BooleanOptionalAction"})

local function add(self, kw, ...)
  local a = new_action(kw, ...)
  if a.kind == M.BooleanOptionalAction then
    a.kind = "boolean"
  end
  if not kinds[a.kind] then
    exc.fail("ValueError", ("unknown action %s"):format(repr(a.kind)))
  elseif kw and (a.nargs == nil and a.kind:find "^store_" and dict.has(kw, "type")) then
    exc.fail("TypeError", "_Store" .. (a.kind == "store_true" and "True" or "False")
      .. "Action.__init__() got an unexpected keyword argument 'type'")
  end
  kinds[a.kind](a)
  local state = self[STATE]
  for _, other in ipairs(state.actions) do
    for _, f in ipairs(other.flags) do
      for _, g in ipairs(a.flags) do
        if f == g then
          exc.fail("ArgumentError", ("argument %s: conflicting option string: %s"):format(
            table.concat(a.flags, "/"), g))
        end
      end
    end
  end
  a.group = state.group
  table.insert(state.actions, a)
  local handle = setmetatable({}, M.Action.meta)
  attr.put(handle, "dest", a.dest)
  handle[STATE] = a
  return handle
end
M.Action = class.make("Action", {core.types.object}, {}, {})

core.class_set(Parser, "__init__", native.make("ArgumentParser.__init__", "**", function(kw, self, prog)
  self[STATE] = new_state(kw)
  self[STATE].prog = prog ~= nil and prog ~= None and prog or self[STATE].prog
  local wanted = kw and dict.get(kw, "add_help")
  if wanted ~= false then
    add(self, dict.of("action", "help", "help", "show this help message and exit"), "-h", "--help")
  end
  return None
end))
core.class_set(Parser, "add_argument", native.make("add_argument", "**", function(kw, self, ...)
  return add(self, kw, ...)
end))

-- A group adds to its parser; help shows it under its title.
local function group(self, kw, title, description)
  local g = setmetatable({}, Parser.meta)
  local state = self[STATE]
  local of = {title = title or option(kw, "title"), description = description or option(kw, "description")}
  table.insert(state.groups, of)
  g[STATE] = setmetatable({group = of}, {__index = state})
  return g
end
core.class_set(Parser, "add_argument_group", native.make("add_argument_group", "**", function(kw, self, ...)
  return group(self, kw, ...)
end))
core.class_set(Parser, "add_mutually_exclusive_group", native.make("add_mutually_exclusive_group", "**",
  function(kw, self)
    local g = setmetatable({}, Parser.meta)
    local of = {exclusive = true, required = option(kw, "required")}
    table.insert(self[STATE].exclusive, of)
    g[STATE] = setmetatable({group = of}, {__index = self[STATE]})
    return g
  end))
core.class_set(Parser, "set_defaults", native.make("set_defaults", "**", function(kw, self)
  for k, v in dict.each(kw or dict.new()) do
    self[STATE].defaults[k] = v
  end
  return None
end))

-- Errors ----------------------------------------------------------------------------------------------

local function leave(status, text)
  if text then
    local sys = imports.import "sys"
    func.method(status == 0 and sys.stdout or sys.stderr, "write", text)
  end
  exc.throw(exc.make(exc.classes.SystemExit, status))
end

local function wrong(self, message)
  local own = core.class_of(self).lookup.error
  if own and not core.sigs[own].native then
    return func.call(own, self, message)
  end
  leave(2, help.usage(self[STATE]) .. ("%s: error: %s\n"):format(self[STATE].prog, message))
end
method(Parser, "error(self, message)", function(self, message) wrong(self, message) end)
method(Parser, "exit(self, status?, message?)", function(_, status, message)
  if message ~= nil and message ~= None then
    func.method(imports.import "sys".stderr, "write", message)
  end
  exc.throw(exc.make(exc.classes.SystemExit, status or 0))
end)

local function named(a)
  return #a.flags > 0 and table.concat(a.flags, "/") or a.metavar or a.dest
end

local function argument_error(self, a, text)
  wrong(self, ("argument %s: %s"):format(named(a), text))
end

-- One text as a value of the action.
local function converted(self, a, s)
  local v = s
  if a.type then
    local ok, r = xpcall(func.call, exc.handler, a.type, s)
    local e = not ok and exc.of(r)
    if e and core.class_of(e) == M.ArgumentTypeError then
      argument_error(self, a, exc.str(e))
    elseif e and (core.subclass(core.class_of(e), exc.classes.ValueError)
      or core.subclass(core.class_of(e), exc.classes.TypeError)) then
      argument_error(self, a, ("invalid %s value: %s"):format(core.late.attr_or_nil(a.type, "__name__") or repr(a.type),
        repr(s)))
    elseif not ok then
      error(r, 0)
    end
    v = r
  end
  if a.choices and not index.contains(v, a.choices) then
    local list = {}
    for c in iter.iter(a.choices) do
      list[#list + 1] = repr(c)
    end
    argument_error(self, a, ("invalid choice: %s (choose from %s)"):format(repr(v), table.concat(list, ", ")))
  end
  return v
end

-- Parsing ---------------------------------------------------------------------------------------------

local function default_of(state, a)
  if state.defaults[a.dest] ~= nil then
    return state.defaults[a.dest]
  end
  return a.default == nil and None or a.default
end

-- Does a text stand for an option rather than a value?
local function looks_option(state, s)
  if s == "-" or not s:find "^%-" then
    return false
  elseif s:find "^%-%d*%.?%d+$" or s:find "^%-%d+%.?%d*e?[-+]?%d*$" then
    for _, a in ipairs(state.actions) do
      for _, f in ipairs(a.flags) do
        if f:find "^%-%d" then
          return true
        end
      end
    end
    return false
  end
  return not s:find " "
end

-- The action of an option, and a value that stands in it behind `=`; nil: there is none.
local function find_option(self, s)
  local state = self[STATE]
  local name, value = s:match "^(%-%-[^=]+)=(.*)$"
  name = name or s
  local near = {}
  for _, a in ipairs(state.actions) do
    for _, f in ipairs(a.flags) do
      if f == name then
        return a, value, f
      elseif name:find "^%-%-" and f:sub(1, #name) == name then
        near[#near + 1] = {a, value, f}
      elseif #f == 2 and s:find "^%-[^-]" and s:sub(1, 2) == f then
        near[#near + 1] = {a, s:sub(3):gsub("^=", ""), f, a.nargs == 0}
      end
    end
  end
  if #near > 1 then
    local names = {}
    for i, n in ipairs(near) do
      names[i] = n[3]
    end
    wrong(self, ("ambiguous option: %s could match %s"):format(name, table.concat(names, ", ")))
  elseif near[1] then
    return table.unpack(near[1], 1, 4)
  end
end

-- How many values an action takes: least, most
local function counts(a)
  local n = a.nargs
  if n == nil then
    return 1, 1
  elseif n == "?" then
    return 0, 1
  elseif n == "*" or n == "..." then
    return 0, math.huge
  elseif n == "+" then
    return 1, math.huge
  end
  return n, n
end

local function expected(self, a)
  local n = a.nargs
  argument_error(self, a, n == nil and "expected one argument" or n == "?" and "expected at most one argument"
    or n == "+" and "expected at least one argument" or n == 1 and "expected 1 argument"
    or ("expected %s arguments"):format(str(n)))
end

-- Stores what an action got: texts, a list of Lua's.
local function store(self, ns, a, texts, flag)
  local kind = a.kind
  if kind == "help" then
    leave(0, help.text(self[STATE]))
  elseif kind == "version" then
    leave(0, (a.version or ""):gsub("%%%(prog%)s", self[STATE].prog) .. "\n")
  elseif kind == "boolean" then
    attr.setattr(ns, a.dest, not flag:find "^%-%-no%-")
  elseif kind == "count" then
    local old = attr.get(ns, a.dest)
    attr.setattr(ns, a.dest, (math.type(old) and old or 0) + 1)
  elseif kind == "store_true" or kind == "store_false" or kind == "store_const" then
    attr.setattr(ns, a.dest, a.const == nil and None or a.const)
  else
    local v
    if a.nargs == nil or a.nargs == "?" then
      v = texts[1] and converted(self, a, texts[1])
      if v == nil then
        v = a.positional and default_of(self[STATE], a) or (a.const == nil and None or a.const)
      end
    else
      local l = {}
      for i, s in ipairs(texts) do
        l[i] = converted(self, a, s)
      end
      v = core.list(l)
    end
    if kind == "append" or kind == "append_const" or kind == "extend" then
      local old = attr.get(ns, a.dest)
      local l = getmt(old) == core.List and iter.list(old) or core.list {}
      for x in iter.iter(kind == "extend" and v or core.list {kind == "append_const" and a.const or v}) do
        l.n = l.n + 1
        l[l.n] = x
      end
      v = l
    end
    attr.setattr(ns, a.dest, v)
  end
end

-- Values behind an option, from argument i on: the texts, and the next argument.
local function values_behind(self, args, i, a)
  local _, most = counts(a)
  local texts = {}
  while #texts < most and i <= #args and not (looks_option(self[STATE], args[i]) or args[i] == "--") do
    texts[#texts + 1] = args[i]
    i = i + 1
  end
  return texts, i
end

-- Hands the positional texts out to the positional actions.
local function positionals(self, ns, texts, seen)
  local list, at = {}, 1
  for _, a in ipairs(self[STATE].actions) do
    if a.positional then
      list[#list + 1] = a
    end
  end
  for i, a in ipairs(list) do
    local rest = 0
    for j = i + 1, #list do
      rest = rest + (counts(list[j]))
    end
    local least, most = counts(a)
    local n = math.max(math.min(#texts - at + 1 - rest, most), 0)
    if n < least or #texts - at + 1 < least then
      break
    else
      if n > 0 or a.nargs == "*" or a.nargs == "?" then
        if n == 0 and a.nargs == "*" then
          local d = default_of(self[STATE], a)
          attr.setattr(ns, a.dest, d == None and core.list {} or d)
        else
          store(self, ns, a, table.move(texts, at, at + n - 1, 1, {}))
        end
        seen[a] = true
      end
      at = at + n
    end
  end
  return table.move(texts, at, #texts, 1, {})
end

local function check_groups(self, seen)
  for _, g in ipairs(self[STATE].exclusive) do
    local first, names = nil, {}
    for _, a in ipairs(self[STATE].actions) do
      if a.group == g then
        names[#names + 1] = table.concat(a.flags, "/")
        if seen[a] and first then
          argument_error(self, a, "not allowed with argument " .. named(first))
        end
        first = first or seen[a] and a or nil
      end
    end
    if g.required and not first then
      wrong(self, "one of the arguments " .. table.concat(names, " ") .. " is required")
    end
  end
end

local function check_required(self, seen)
  local missing = {}
  for _, a in ipairs(self[STATE].actions) do
    if a.required and not seen[a] then
      missing[#missing + 1] = named(a)
    end
  end
  if #missing > 0 then
    wrong(self, "the following arguments are required: " .. table.concat(missing, ", "))
  end
  check_groups(self, seen)
end

local function set_defaults(self, ns)
  local state = self[STATE]
  for _, a in ipairs(state.actions) do
    if a.default ~= M.SUPPRESS and attr.get(ns, a.dest) == nil then
      local d = default_of(state, a)
      attr.setattr(ns, a.dest, d)
    end
  end
  for k, v in pairs(state.defaults) do
    if attr.get(ns, k) == nil then
      attr.setattr(ns, k, v)
    end
  end
end

-- Defaults that are texts go through the type, when nothing was given.
local function convert_defaults(self, ns, seen)
  for _, a in ipairs(self[STATE].actions) do
    if not seen[a] and a.type and type(a.default) == "string" and a.default ~= M.SUPPRESS
      and rawequal(attr.get(ns, a.dest), a.default) then
      attr.setattr(ns, a.dest, converted(self, a, a.default))
    end
  end
end

-- Runs over the arguments -> the namespace, and what nothing took.
local function parse(self, args, ns)
  ns = ns ~= nil and ns ~= None and ns or Namespace.construct()
  set_defaults(self, ns)
  local texts, extra, seen, i = {}, {}, {}, 1
  while i <= #args do
    local s = args[i]
    if s == "--" then
      table.move(args, i + 1, #args, #texts + 1, texts)
      break
    elseif looks_option(self[STATE], s) then
      local a, value, flag, more = find_option(self, s)
      i = i + 1
      if not a then
        extra[#extra + 1] = s
      elseif more then -- -abc: one letter each
        store(self, ns, a, {}, flag)
        seen[a] = true
        if value ~= "" then
          i = i - 1
          args[i] = "-" .. value
        end
      else
        seen[a] = true
        local got
        if value ~= nil and value ~= "" or value == "" and s:find("=", 1, true) then
          if a.nargs == 0 then
            argument_error(self, a, ("ignored explicit argument %s"):format(repr(value)))
          end
          got = {value}
        else
          got, i = values_behind(self, args, i, a)
        end
        if #got < (counts(a)) then
          expected(self, a)
        end
        store(self, ns, a, got, flag)
      end
    else
      texts[#texts + 1] = s
      i = i + 1
    end
  end
  local left = positionals(self, ns, texts, seen)
  table.move(left, 1, #left, #extra + 1, extra)
  check_required(self, seen)
  convert_defaults(self, ns, seen)
  return ns, extra
end

local function arguments(args)
  local l = {}
  if args == nil or args == None then
    local argv = imports.import "sys".argv
    return table.move(argv, 2, argv.n, 1, l)
  end
  for s in iter.iter(args) do
    l[#l + 1] = s
  end
  return l
end

method(Parser, "parse_args(self, args?, namespace?)", function(self, args, ns)
  local r, extra = parse(self, arguments(args), ns)
  if #extra > 0 then
    wrong(self, "unrecognized arguments: " .. table.concat(extra, " "))
  end
  return r
end)
method(Parser, "parse_known_args(self, args?, namespace?)", function(self, args, ns)
  local r, extra = parse(self, arguments(args), ns)
  return core.pack(r, core.list(extra))
end)
method(Parser, "print_help(self)", function(self) builtins.out.write(help.text(self[STATE])) return None end)
method(Parser, "format_help(self)", function(self) return help.text(self[STATE]) end)
method(Parser, "print_usage(self)", function(self) builtins.out.write(help.usage(self[STATE])) return None end)
method(Parser, "format_usage(self)", function(self) return help.usage(self[STATE]) end)
method(Parser, "get_default(self, dest)", function(self, dest)
  for _, a in ipairs(self[STATE].actions) do
    if a.dest == dest then
      return default_of(self[STATE], a)
    end
  end
  return None
end)

M.ArgumentTypeError = exc.define("argparse", "ArgumentTypeError", "Exception")
M.ArgumentError = exc.define("argparse", "ArgumentError", "Exception")
for _, name in ipairs {"HelpFormatter", "ArgumentDefaultsHelpFormatter", "RawTextHelpFormatter",
  "RawDescriptionHelpFormatter", "MetavarTypeHelpFormatter"} do
  M[name] = class.make(name, {core.types.object}, {}, {})
end
help.percent = format.percent

return M
