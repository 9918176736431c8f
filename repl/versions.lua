-- versions.lua: what a variable's kernel was before.
--
-- After each input, and each file that is run, the variables of the session are
-- looked at: where one holds a tl.jit function, a prim_func or a kernel whose text
-- is new, that is its next version.
--
--     versions.scan(at)      at: {number =} or {path =}; -> {{name =, version =, old =}, ..}
--     versions.of(name)      its versions, or nil; field current: the number of the one it is
--     versions.names()       variables that have some, in order
--     versions.get(name, n)  the version, or nil and why there is none
--     versions.revert(name, n)
--     versions.reset()       forgets them
--     versions.plain(text)   a version's text as it is compared
--     versions.source(v)     where a value's text stands: {chunk =, line =, last =, text =}
--     versions.swap(name, old, new)
--
-- A version: {n =, value =, text =, consts =, program =, where = "in:7" or "k.lua:12",
-- number =, path =, time =, entry =}.  text: the statement that made it; consts: the
-- constants that it takes from around it, "BM = 64"; program: a kernel's tile program,
-- since one text makes many; entry: where in the journal.

local func = require "moontile.T.func"
local jit = require "moontile.tl.jit"
local kernel = require "moontile.tl.kernel"
local tokens = require "moontile.repl.tokens"
local vars = require "moontile.repl.vars"

local M = {}

local by_name = {}

local function say(...)
  return require("moontile.repl.commands").say(...)
end

-- Texts --------------------------------------------------------------------------------

local function kind(v)
  local mt = type(v) == "table" and getmetatable(v)
  if mt == jit.Jit and rawget(v, "f") then
    return "jit"
  elseif mt == kernel.Kernel then
    return "kernel"
  elseif func.isprim(v) then
    return "prim_func"
  elseif type(mt) == "table" and rawget(mt, "__name") == "autotuned" and rawget(v, "jit") then
    return "tuned"
  end
  return nil
end
M.kind = kind

-- The function whose text a kernel is.
local function body(v)
  local k = kind(v)
  if k == "tuned" then
    return v.jit.f
  elseif k == "kernel" then
    return rawget(v, "f") or rawget(v, "jit") and v.jit.f
  end
  local P = package.loaded["moontile.python"] -- the function of Python's that Lua calls
  return P and P.from_lua(rawget(v, "f")) or rawget(v, "f")
end

local function lines(text, first, last)
  local list, n = {}, 0
  for line in (text .. "\n"):gmatch "([^\n]*)\n" do
    n = n + 1
    if n >= first and n <= last then
      list[#list + 1] = line
    end
  end
  return table.concat(list, "\n")
end

-- Of a text in Python: the function's lines with its decorators above.
local function definition(text, first, last)
  local all = {}
  for line in (text .. "\n"):gmatch "([^\n]*)\n" do
    all[#all + 1] = line
  end
  local at = require("moontile.base.decorators").first(all, first)
  return lines(text, at, last), at, last
end

local function is_python(chunk, text)
  return chunk:find "%.py$" ~= nil or chunk:sub(1, 1) == "=" and require("moontile.pyreader").looks(text) == true
end
M.is_python = is_python

-- The statement of a text around lines first to last that gives a name a value, else
-- those lines themselves.
local function statement(text, first, last)
  for _, s in ipairs(tokens.statements(text)) do
    if s.line <= first and s.last >= last and (s.locals or s.sets) then
      return text:sub(s.at, s.to), s.line, s.last
    end
  end
  return lines(text, first, last), first, last
end

function M.source(v)
  local f = body(v)
  local info = f and debug.getinfo(f, "S")
  local text = info and (package.loaded["moontile.sources"] or {})[info.source]
  if not text then
    return nil
  end
  local around = is_python(info.source, text) and definition or statement
  local s, first, last = around(text, info.linedefined, info.lastlinedefined)
  return { chunk = info.source, line = info.linedefined, first = first, last = last, text = s }
end

-- The text of a version without the `local` that only its first input needs: what is
-- compared.
function M.plain(text)
  return (text:gsub("^local%s+", "", 1))
end

local function program(v)
  return kind(v) == "kernel" and require("moontile.ir").text(v.P) or nil
end

-- Numbers, strings and booleans that the function has from around it, "BM = 64, n = 3":
-- they are compiled into the kernel as its text is.
local function constants(v)
  local f, list, i = body(v), {}, 1
  if not f then
    return ""
  end
  local name, x = debug.getupvalue(f, i)
  while name do
    local t = type(x)
    if t == "number" or t == "boolean" then
      list[#list + 1] = ("%s = %s"):format(name, x)
    elseif t == "string" then
      list[#list + 1] = ("%s = %q"):format(name, x)
    end
    i = i + 1
    name, x = debug.getupvalue(f, i)
  end
  table.sort(list)
  return table.concat(list, ", ")
end

-- Variables -----------------------------------------------------------------------------

-- Functions of the session that kept the variable `name` for themselves see its new
-- value too: calls through the name use what it is now.
function M.swap(name, old, new)
  local seen = {}
  local function visit(f)
    if seen[f] then
      return
    end
    seen[f] = true
    local i = 1
    local up, v = debug.getupvalue(f, i)
    while up do
      if up == name and rawequal(v, old) then
        debug.setupvalue(f, i, new)
      elseif type(v) == "function" then
        visit(v)
      end
      i = i + 1
      up, v = debug.getupvalue(f, i)
    end
  end
  vars.each(function(_, v)
    if type(v) == "function" then
      visit(v)
    end
  end)
end

-- Versions ----------------------------------------------------------------------------------

-- The version among the list whose value this is.
local function same_value(list, v)
  for _, old in ipairs(list) do
    if rawequal(old.value, v) then
      return old
    end
  end
  return nil
end

local function where(at, src)
  if src and src.chunk:sub(1, 1) == "@" then
    return ("%s:%d"):format(src.chunk:sub(2), src.line), src.chunk:sub(2)
  end
  return at.number and "in:" .. at.number or src and src.chunk:sub(2) or at.path or "?"
end

-- Looks at one variable: its new version and the one before, or nil.
local function look(name, v, at)
  local list = by_name[name] or { current = 0 }
  local now = list[list.current]
  if now and rawequal(now.value, v) then
    return nil
  end
  local known = same_value(list, v)
  if known then
    list.current = known.n
    M.swap(name, now.value, v)
    return nil
  end
  local src, prog, consts = M.source(v), program(v), constants(v)
  local text = src and src.text or prog or tostring(v)
  if now then
    M.swap(name, now.value, v)
    if M.plain(now.text) == M.plain(text) and now.program == prog and now.consts == consts and
        now.kind == kind(v) then
      now.value = v -- made again, as it was
      return nil
    end
  end
  local place, path = where(at, src)
  local new = { n = #list + 1, value = v, text = text, program = prog, consts = consts,
    where = place, path = path,
    line = src and src.line, number = at.number, entry = at.entry, time = os.time(),
    kind = kind(v) }
  list[new.n], list.current = new, new.n
  by_name[name] = list
  return new, now
end

function M.scan(at)
  local changes = {}
  vars.each(function(name, v)
    if kind(v) then
      local new, old = look(name, v, at)
      if new then
        changes[#changes + 1] = { name = name, version = new, old = old }
      end
    end
  end)
  return changes
end

function M.of(name)
  return by_name[name]
end

function M.reset()
  by_name = {}
end

function M.names()
  local names = {}
  for name in pairs(by_name) do
    names[#names + 1] = name
  end
  table.sort(names)
  return names
end

-- What is said of a name without versions.
function M.none(name)
  local near = require("moontile.base.suggest").find(name, M.names())
  if near then
    return say("%s has no versions; did you mean %s?", "%s 没有版本；您是否想写 %s？", name, near)
  end
  return say("%s has no versions: they are kept for variables that hold a kernel",
    "%s 没有版本：只为保存内核的变量保留版本", name)
end

function M.get(name, n)
  local list = by_name[name]
  if not list then
    return nil, M.none(name)
  end
  local v = list[n]
  if not v then
    return nil, say("%s has no version %d; there are %s", "%s 没有版本 %d；现有版本：%s", name, n,
      #list == 1 and "1" or "1.." .. #list)
  end
  return v
end

function M.revert(name, n)
  local v, why = M.get(name, n)
  if not v then
    return nil, why
  end
  local old = by_name[name][by_name[name].current]
  vars.set(name, v.value)
  by_name[name].current = n
  M.swap(name, old.value, v.value)
  return v, old
end

return M
