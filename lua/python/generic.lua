-- python/generic.lua: list[int], Optional[int], int | None: what annotations are made of.
--
-- Such a value shows itself as CPython's does, is callable as its class, and isinstance() takes unions.

local class = require "moontile.python.class"
local core = require "moontile.python.core"
local func = require "moontile.python.func"
local text = require "moontile.python.text"

local M = {}

local getmt = debug.getmetatable
local None, NoneType = core.None, core.types.NoneType

local Generic = {__name = "generic alias"}
M.Generic = Generic

-- A type as annotations write it.
local function shown(v)
  if getmt(v) == core.Type then
    local module = v.module
    return module and module ~= "builtins" and module .. "." .. (v.qualname or v.name) or v.name
  elseif v == core.Ellipsis then
    return "..."
  elseif getmt(v) == core.List then
    local parts = {}
    for i = 1, v.n do
      parts[i] = shown(v[i])
    end
    return "[" .. table.concat(parts, ", ") .. "]"
  elseif v == None then
    return "None"
  end
  return text.repr(v)
end

-- origin: a class or a name of typing's; args: a tuple
local function make(origin, name, args)
  return setmetatable({origin = origin, name = name, args = args}, Generic)
end

local function arguments(k)
  return getmt(k) == core.Tuple and k or core.pack(k)
end

-- cls[k]
function M.of(cls, k)
  return make(cls, shown(cls), arguments(k))
end

-- a | b, of types
function M.union(a, b)
  local args = {}
  for _, v in ipairs {a, b} do
    if getmt(v) == Generic and v.bar then
      table.move(v.args, 1, v.args.n, #args + 1, args)
    else
      args[#args + 1] = v == None and NoneType or v
    end
  end
  local g = make(nil, "types.UnionType", core.tuple(args))
  g.bar = true
  return g
end

-- A name of typing's that takes [..] : name "Optional"; origin: what isinstance() and calls take
function M.special(name, origin)
  return setmetatable({special = true, origin = origin, name = "typing." .. name, args = core.tuple {}}, Generic)
end

-- Optional[X] is Union[X, None], which is what it shows.
local function subscript(g, k)
  local args = arguments(k)
  if g.name == "typing.Annotated" or g.name == "typing.Final" or g.name == "typing.ClassVar" then
    return make(g.name ~= "typing.Annotated" and g.origin or args[1], g.name, args)
  elseif g.name == "typing.Optional" then
    local r = make(nil, "typing.Optional", args)
    r.any = core.pack(args[1], NoneType)
    return r
  elseif g.name == "typing.Union" then
    if args.n == 1 then
      return args[1]
    elseif args.n == 2 and (args[2] == None or args[2] == NoneType) then
      return subscript(M.special "Optional", args[1])
    end
    local r = make(nil, "typing.Union", args)
    r.any = args
    return r
  end
  return make(g.origin, g.name, args)
end

function Generic.__py_index(g, k)
  return subscript(g, k)
end

function Generic.__py_call(g, ...)
  return func.call(g.origin or g.args[1], ...)
end

function Generic.__py_callk(g, names, ...)
  return func.callk(g.origin or g.args[1], names, ...)
end

function Generic.__py_check(g, v)
  local any = g.bar and g.args or g.any
  if any then
    for i = 1, any.n do
      if class.isinstance(v, any[i] == None and NoneType or any[i]) then
        return true
      end
    end
    return false
  elseif g.special and g.origin then
    return class.isinstance(v, g.origin)
  end
  require("moontile.python.exc").fail("TypeError", "Subscripted generics cannot be used with class and instance checks")
end

function Generic.__py_base(g)
  return g.origin and getmt(g.origin) == core.Type and g.origin or nil
end

local fields = {
  __origin__ = function(g) return g.origin or None end, __args__ = function(g) return g.any or g.args end,
  __name__ = function(g) return g.name:match "[^.]*$" end, __metadata__ = function(g)
    return core.tuple(table.move(g.args, 2, g.args.n, 1, {}))
  end,
}

function Generic.__py_attr(g, name)
  if fields[name] then
    return fields[name](g)
  end
  return g.origin and core.late.attr_or_nil(g.origin, name)
end

function Generic.__tostring(g)
  local parts = {}
  for i = 1, g.args.n do
    parts[i] = shown(g.args[i])
  end
  if g.bar then
    for i, p in ipairs(parts) do
      parts[i] = p == "NoneType" and "None" or p
    end
    return table.concat(parts, " | ")
  elseif #parts == 0 then
    return g.name
  end
  return g.name .. "[" .. table.concat(parts, ", ") .. "]"
end

-- x | y with such a value on either side
Generic.__py_or = M.union

return M
