-- mock.lua: a backend for moontile.stage that writes down what it is asked.
--
--     local K = dofile "lib/mock.lua"
--     K.trace(function() ... end)     prints the program that was traced
--
-- K.i, K.n ... any unknown field is an int expression of that name; K.p() a
-- bool one; K.var(name) a T.alloc_var; K.buf(name) a buffer; K.serial,
-- K.kernel(n) loops of its own.

local stage = require "moontile.stage"

local K = {}
local out, frames, count = {}, {}, 0

local function emit(fmt, ...)
  out[#out + 1] = ("  "):rep(#frames) .. fmt:format(...)
end

-- Expressions ---------------------------------------------------------------

local Expr, Var, Buf = {}, {}, {}
local function isa(v, mt) return type(v) == "table" and getmetatable(v) == mt end

local function show(v)
  if isa(v, Expr) then
    return v.text
  elseif isa(v, Buf) then
    return rawget(v, "label")
  elseif isa(v, Var) then
    return "$" .. (v.label or "?")
  end
  return tostring(v)
end

local function expr(text, kind, loads)
  return setmetatable({ text = text, kind = kind or "int", loads = loads }, Expr)
end

local function reads(...)
  for i = 1, select("#", ...) do
    local v = select(i, ...)
    if isa(v, Var) or isa(v, Expr) and v.loads then
      return true
    end
  end
  return false
end

local function arith(op)
  return function(a, b)
    return expr(("(%s %s %s)"):format(show(a), op, show(b)), "int", reads(a, b))
  end
end

for _, mt in ipairs { Expr, Var } do
  mt.__add, mt.__sub, mt.__mul = arith "+", arith "-", arith "*"
  mt.__mod, mt.__idiv = arith "%", arith "//"
end

local function index_text(k)
  local function one(v)
    if isa(v, stage.Slice) then
      return (v.lo and show(v.lo) or "") .. ":" .. (v.hi and show(v.hi) or "")
    end
    return show(v)
  end
  if type(k) ~= "table" or getmetatable(k) then
    return one(k)
  end
  local t = {}
  for i, v in ipairs(k) do
    t[i] = one(v)
  end
  return table.concat(t, ", ")
end

function Buf.__index(b, k)
  return expr(("%s[%s]"):format(rawget(b, "label"), index_text(k)), "int", true)
end

function Buf.__newindex(b, k, v)
  emit("%s[%s] = %s", rawget(b, "label"), index_text(k), show(v))
end

-- The backend -----------------------------------------------------------------

local function open(kind, fmt, ...)
  emit(fmt, ...)
  frames[#frames + 1] = kind
end

local function close(kind)
  local top = table.remove(frames)
  assert(top, "nothing to close")
  assert(not kind or top == kind, "closes " .. tostring(kind) .. ", open is " .. tostring(top))
  emit "end"
end

local names = { lt = "<", le = "<=", eq = "==", ne = "!=" }

local function logic(op)
  return function(a, b)
    return expr(("(%s %s %s)"):format(show(a), op, show(b)), "bool", reads(a, b))
  end
end

K.backend = {
  is_symbolic = function(v) return isa(v, Expr) or isa(v, Var) end,
  is_bool = function(v) return v.kind == "bool" end,
  is_var = function(v) return isa(v, Var) end,
  load_var = function(v) return expr(show(v), v.kind, true) end,
  store_var = function(v, e) emit("%s = %s", show(v), show(e)) end,
  let = function(name, e)
    if not e.loads then
      return e
    end
    count = count + 1
    emit("let %s.%d = %s", name, count, show(e))
    return expr(name .. "." .. count, e.kind)
  end,
  name = function(v, name)
    if isa(v, Var) then
      v.label = name
      emit("var %s = %s", name, tostring(v.init))
    end
  end,
  cmp = function(op, a, b)
    return expr(("(%s %s %s)"):format(show(a), names[op], show(b)), "bool", reads(a, b))
  end,
  land = logic "and",
  lor = logic "or",
  no = function(a) return expr("not " .. show(a), "bool", reads(a)) end,
  select = function(c, a, b)
    return expr(("select(%s, %s, %s)"):format(show(c), show(a), show(b)), "int", reads(c, a, b))
  end,
  if_open = function(c) open("if", "if %s", show(c)) end,
  if_else = function()
    assert(frames[#frames] == "if", "else of no if")
    frames[#frames] = nil
    emit "else"
    frames[#frames + 1] = "if"
  end,
  if_close = function() close "if" end,
  while_open = function(c) open("while", "while %s", show(c)) end,
  for_open = function(lo, hi, step, name)
    open("for", "for %s = %s, %s, %s", name, show(lo), show(hi), show(step))
    return expr(name)
  end,
  close = function() close() end,
  brk = function() emit "break" end,
  cont = function() emit "continue" end,
  loop_frame = function(list, _, state)
    if type(state) == "table" and state.frame then
      state.names = list
      return true
    end
    return false
  end,
  depth = function()
    local n = 0
    for _, f in ipairs(frames) do
      n = n + (f == "launch" and 0 or 1)
    end
    return n
  end,
  annotate = function(name, v, t)
    emit("annotate %s: %s", name, show(t))
    return v
  end,
  sigend = function() emit "sigend" end,
  assert_ = function(c, message) emit("assert %s, %s", show(c), tostring(message)) end,
  iterable = function(f) assert(not isa(f, Expr), "iterates over an expression") end,
  fail = function(id, ...)
    local t = { id, ... }
    error("DIAG " .. table.concat(t, " "), 0)
  end,
}

-- T's part ----------------------------------------------------------------------

local function frame_loop(kind, fmt, ...)
  local args = { ... }
  local state = { frame = true }
  local function step(s)
    if s.open then
      close(kind)
      s.open = nil
      return nil
    end
    s.open = #frames + 1
    local first = s.names:match "[^,]+"
    open(kind, fmt, s.names, table.unpack(args))
    local list = {}
    for name in s.names:gmatch "[^,]+" do
      list[#list + 1] = expr(name)
    end
    return list[1] or expr(first), table.unpack(list, 2)
  end
  local closer = setmetatable({}, { __close = function()
    while state.open and #frames >= state.open do
      close()
    end
  end })
  return step, state, nil, closer
end

function K.serial(n) return frame_loop("loop", "serial %s in %s", show(n)) end
function K.kernel(n) return frame_loop("launch", "launch %s in %s", show(n)) end
function K.var(init) return setmetatable({ init = init, kind = "int" }, Var) end
function K.buf(name) return setmetatable({ label = name }, Buf) end
function K.p(name) return expr(name or "p", "bool") end
function K.emit(...) emit(...) end
function K.show(v) return show(v) end
-- takes its arguments as T.macro does: under their names, variables by value
function K.macro(f)
  local names = {}
  for i = 1, debug.getinfo(f, "u").nparams do
    names[i] = debug.getlocal(f, i)
  end
  return function(...)
    return f(require "moontile.stage".bindn(table.concat(names, ","), ...))
  end
end
function K.jit(f)
  if type(f) == "table" then
    return K.macro -- the decorator with options
  end
  return f
end

-- Traces f and prints the program; errors are printed too.
function K.trace(title, f, ...)
  out, frames, count = {}, {}, 0
  local before = stage.backend
  stage.backend = K.backend
  local r = table.pack(xpcall(f, function(e)
    return (tostring(e):gsub("^[^:]*/", ""))
  end, ...))
  stage.backend = before
  print("-- " .. title)
  for _, line in ipairs(out) do
    print("  " .. line)
  end
  if not r[1] then
    print("  error: " .. tostring(r[2]))
  else
    for i = 2, r.n do
      print("  returns " .. show(r[i]))
    end
    assert(#frames == 0, "left open: " .. table.concat(frames, " "))
  end
end

return setmetatable(K, { __index = function(_, name) return expr(name) end })
