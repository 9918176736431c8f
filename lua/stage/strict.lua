-- stage/strict.lua: a misspelled name in a kernel is an error at its place.
--
-- In Lua a global without a value is nil, and T would take that for an argument
-- that was left out.  So while a function is traced, the table of globals has a
-- metatable: a global that kernel code reads and nobody has set raises an error
-- with the name that was most likely meant.  Kernel code is what is traced, what
-- stands inside of it, and functions that use T.  All other Lua, also during a
-- trace, reads nil as ever, and outside of traces there is no metatable at all:
-- plain Lua pays nothing.  `_G.name` and rawget(_G, "name") may always be nil.
--
--     strict.enter(f)        f is going to be traced
--     strict.leave()         it was, or failed; calls nest
--     strict.of(t)           t is the table of globals, for programs with one of their own

local diag = require "moontile.diag"
local suggest = require "moontile.base.suggest"
local place = require "moontile.base.place"

local M = {language = {}} -- T, once it is there

local getinfo, getlocal, getupvalue = debug.getinfo, debug.getlocal, debug.getupvalue
local getmt, setmt = debug.getmetatable, debug.setmetatable
local globals = debug.getregistry()[2] -- LUA_RIDX_GLOBALS: also where _G was replaced

local traced = {}                      -- functions, innermost last
local before                           -- the metatable of the globals outside of traces

-- Whose code is it? -----------------------------------------------------------------

local uses_T = setmetatable({}, {__mode = "k"}) -- function -> does its text use T?

local function mentions_T(info)
  for n = info.linedefined, info.lastlinedefined do
    local line = place.line(info.source, n)
    if not line then
      return false
    elseif line:find "%f[%w_]T%s*%.%s*[%a_]" then
      return true
    end
  end
  return false
end

local function kernel_code(info)
  if info.what ~= "Lua" then
    return false
  end
  for _, f in ipairs(traced) do
    local outer = getinfo(f, "S")
    if outer.source == info.source and outer.linedefined <= info.linedefined and
        outer.lastlinedefined >= info.lastlinedefined then
      return true
    end
  end
  if uses_T[info.func] == nil then
    uses_T[info.func] = mentions_T(info)
  end
  return uses_T[info.func]
end

-- Does `name:` stand there that gives a parameter its type, and is no method call?
local function annotates(lead, rest)
  return not lead:find "%S" and rest:find "^%s*:%s*[%a_][%w_]*%s*[^%w_%s({'\"]"
end

-- The place of a name in a line where it is a variable, no field: its column; nil
-- when there is none, 0 when the line is not known.
local function column(line, name)
  if not line then
    return 0
  end
  local at = 1
  while true do
    local from, to = line:find("%f[%w_]" .. name .. "%f[^%w_]", at)
    if not from then
      return nil
    end
    local lead = line:sub(1, from - 1)
    local rest = line:sub(to + 1)
    local field = lead:find "%.%s*$" and not lead:find "%.%.%s*$" or
      lead:find ":%s*$" and rest:find "^%s*[({'\"]" -- a method; else a slice
    if not field and not annotates(lead, rest) then
      return from
    end
    at = to + 1
  end
end

-- What was meant ----------------------------------------------------------------------

local function add(list, name, value)
  if type(name) == "string" and value ~= nil and name:find "^[%a_]" and
      not name:find "^__" and name ~= "_ENV" then
    list[#list + 1] = name
  end
end

-- Names that have a value where the function at a level of the stack stands.
local function visible(level, info)
  local list, i = {}, 1
  local name, v = getlocal(level + 1, i)
  while name do
    add(list, name, v)
    i = i + 1
    name, v = getlocal(level + 1, i)
  end
  for k = 1, info.nups do
    name, v = getupvalue(info.func, k)
    add(list, name, v)
    if name == "_ENV" and type(v) == "table" then
      for key, x in next, v do
        add(list, key, x)
      end
    end
  end
  for key, x in next, globals do
    add(list, key, x)
  end
  return list
end

-- Names that the text declares above the line: locals of functions around this one,
-- which no upvalue reaches because only the misspelling asked for them.
local function declared(info)
  local list = {}
  for n = 1, info.currentline do
    local line = place.line(info.source, n)
    if not line then
      break
    end
    for names in line:gmatch "%f[%w_]local%s+([%a_][%w_, ]*)" do
      for name in names:gmatch "[%a_][%w_]*" do
        add(list, name, true)
      end
    end
    for names in line:gmatch "%f[%w_]function%s*[%w_.:]*%s*%(([%w_, ]*)" do
      for name in names:gmatch "[%a_][%w_]*" do
        add(list, name, true)
      end
    end
  end
  return list
end

-- The line of a `local` of this name above, which is not visible any more; nil: there is none.
local function ended(name, info)
  for n = info.currentline - 1, 1, -1 do
    local line = (place.line(info.source, n) or ""):gsub("%-%-.*", "")
    for names in line:gmatch "%f[%w_]local%s+([%a_][%w_, ]*)" do
      for one in names:gmatch "[%a_][%w_]*" do
        if one == name then
          return n
        end
      end
    end
  end
end

-- Words of Python.
local python = {True = "true", False = "false", None = "nil", range = "T.serial"}

-- Raises the error of a word of Python outside of kernels.
function M.word(name, source, line)
  local col = column(place.line(source, line), name) or 0
  error(diag.at("global_near", source, line, col, name, python[name]), 0)
end

local function meant(name, level, info)
  if rawget(M.language, name) ~= nil then
    return "T." .. name
  elseif python[name] then
    return python[name]
  end
  return suggest.find(name, visible(level + 1, info)) or suggest.find(name, declared(info))
end

-- The metatable --------------------------------------------------------------------------

-- A global that is not there is read, by the function two levels up.
local function missing(_, name)
  local info = getinfo(2, "Slfu")
  if type(name) ~= "string" or not kernel_code(info) then
    return nil
  end
  local col = column(place.line(info.source, info.currentline), name)
  if not col then
    return nil
  end
  local line = ended(name, info)
  if line then
    error(diag.at("local_ended", info.source, info.currentline, col, name, tostring(line)), 0)
  end
  local other = meant(name, 2, info)
  if other then
    error(diag.at("global_near", info.source, info.currentline, col, name, other), 0)
  end
  local size = name:find "^%u[%u%d_]*$" -- as sizes are written
  error(diag.at(size and "global_size" or "global_unset", info.source, info.currentline, col,
    name), 0)
end

local strict = {__index = missing}

-- The user's own metatable keeps its say: where it has an __index, that is all.
function M.enter(f)
  traced[#traced + 1] = f
  if #traced > 1 then
    return
  end
  before = getmt(globals)
  if before == nil then
    setmt(globals, strict)
  elseif type(before) == "table" and rawget(before, "__index") == nil then
    local both = {__index = missing}
    for k, v in next, before do
      both[k] = v
    end
    setmt(globals, both)
  end
end

-- The table of globals is another one from now on.
function M.of(t)
  globals = t
end

function M.leave()
  traced[#traced] = nil
  if #traced == 0 then
    local now = getmt(globals)
    if type(now) == "table" and rawget(now, "__index") == missing then
      setmt(globals, before)
    end
    before = nil
  end
end

return M
