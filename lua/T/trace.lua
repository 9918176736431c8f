-- T/trace.lua: what is being traced now.
--
-- A trace runs the user's function once and fills a program (moontile.ir).
-- There are three kinds:
--   "sig"   tl.jit's first phase: learns types, shapes and constants and stops
--           after the annotations; T.const gives symbols, launches are skipped
--   "body"  tl.jit's second phase: T.const gives numbers
--   "prim"  T.prim_func
-- Traces nest: a lazy factory makes a prim_func while its own "sig" runs.

local diag = require "moontile.diag"
local ir = require "moontile.ir"
local place = require "moontile.base.place"
local strict = require "moontile.stage.strict"

local M = {}

local cur = nil -- the innermost trace

-- Raised to leave a "sig" trace early.
M.done = setmetatable({}, {__tostring = function() return "end of signature" end})

-- Of a program: pass_configs that it says itself (T.annotate_pass_configs).
M.configs = setmetatable({}, {__mode = "k"})

function M.current()
  return cur
end

-- The program that `what` (a name for messages) adds to.
function M.prog(what)
  if not cur then
    diag.fail("not_tracing", what)
  end
  return cur.P
end

-- As prog, inside of a T.Kernel.
function M.kernel(what)
  local P = M.prog(what)
  if ir.frames(P) == 0 and cur.mode ~= "sig" then
    diag.fail("outside_kernel", what)
  end
  return P
end

-- Lists that may also be given to several names at once -> the function that made them.
M.lists = setmetatable({}, {__mode = "k"})

-- The indices and extents of the innermost T.Kernel's blocks or threads: `axis` "block"
-- or "thread".  A first phase has none of them: it ends in front of T.Kernel.
function M.bindings(what, axis)
  local v, n = ir.bindings(M.kernel(what), axis)
  if not v then
    diag.fail("outside_kernel", what)
  end
  return v, n
end

-- What a function of Python calls its parameters, some of which may be words of Lua: f -> a list, or nil.
M.spelled = function() end

-- Names of the parameters of a Lua function.
function M.params(f)
  local names = {}
  local info, spelled = debug.getinfo(f, "u"), M.spelled(f)
  for i = 1, info.nparams do
    names[i] = spelled and spelled[i] or debug.getlocal(f, i)
  end
  return names, info.isvararg
end

local patterns = {
  "([%a_][%w_]*)%s*=%s*[%w_.]+%s*%(%s*[%w_.]+%s*%(%s*function", -- f = tl.autotune(tl.jit(function
  "([%a_][%w_]*)%s*=%s*[%w_.]+%s*%(%s*function", -- matmul = tl.jit(function
  "([%a_][%w_]*)%s*=%s*[%w_.]+%b{}%s*%(%s*function",
  "function%s+([%a_][%w_.:]*)%s*%(", -- local function matmul(
  "([%a_][%w_]*)%s*=%s*function",
}

-- Functions that know their names: those of Python.
M.named = setmetatable({}, {__mode = "k"})

-- A name for the kernel that function f makes, from the text: what its line
-- assigns it to, or the function around it.
function M.kernel_name(f)
  if M.named[f] then
    return M.named[f]
  end
  local info = debug.getinfo(f, "S")
  local inside
  for n = info.linedefined, 1, -1 do
    local line = place.line(info.source, n)
    if not line then
      break
    end
    local depth = #line:match("^%s*")
    for _, p in ipairs(line:find("function", 1, true) and patterns or {}) do
      local name = line:match(p)
      if name and (not inside or depth < inside) then
        return (name:match("[%w_]+$"))
      end
    end
    inside = inside or depth
  end
  return "kernel"
end

-- Adds the parameters to the program, once, before anything can use them.
function M.flush(t)
  if t.flushed then
    return
  end
  t.flushed = true
  for _, p in ipairs(t.params) do
    if p.object then
      ir.param(t.P, p.object)
    elseif t.mode == "prim" then
      place.fail_parameter(t.f, p.name, "param_untyped")
    end
  end
  for _, e in ipairs(t.empties) do
    ir.param(t.P, e)
  end
end

-- Gives parameter `name` its type.  v: the value it has now.
-- An annotation in a function that came to tl.jit in a way that its text does not show: it
-- was read as plain Lua, whose `for`, `if` and `=` would mean something else.
function M.plain(name, v)
  if cur then
    place.fail(name, "jit_plain", cur.name or "f")
  end
  return v
end

function M.annotate(name, v, ty)
  local t = cur
  if not t then
    return v
  end
  local scope = t.macros[#t.macros]
  if scope then
    return scope:annotate(name, v, ty)
  end
  local p = t.byname[name]
  if not p then
    place.fail(name, "annotate_name", name)
  elseif p.object then
    return p.proxy or p.object
  end
  local types = require "moontile.base.types"
  if type(ty) == "table" and (ty.kind == "ptr" or ty.kind == "tensor" and type(ty.dtype) == "table") then
    return M.pointer(t, p, ty)
  elseif type(ty) == "table" and ty.kind == "tensor" then
    p.kind, p.dtype, p.shape, p.strides = "tensor", ty.dtype, ty.shape, ty.strides
    p.object = ir.buffer(t.P, "global", ty.dtype, ty.shape, name, ty.strides)
  elseif types.isdtype(ty) or type(ty) == "table" and ty.kind == "scalar" then
    p.kind, p.dtype = "scalar", types.canon(type(ty) == "table" and ty.dtype or ty)
    p.object = ir.scalar(t.P, name, p.dtype)
  else
    place.fail(name, "annotate_type", name, type(ty) == "string" and ("%q"):format(ty) or type(ty))
  end
  return p.object
end

-- A loop has been made (T/loops.lua), for a `for` that enters it at once.
function M.made(loop)
  loop.at = table.pack(diag.where())
  table.insert(cur.loops, loop)
end

local variable = {["T.ws"] = "t", ["T.Kernel"] = "bx", ["T.ClusterKernel"] = "bx"}

-- Raises that a loop of t is none: as a condition, which it makes true, as a value or a
-- statement it would do nothing.  When it was met, that is the cause of what went wrong later.
local function no_for(t)
  for _, loop in ipairs(t.loops) do
    if not loop.entered then
      local chunk, line, col = table.unpack(loop.at, 1, 3)
      error(diag.at("loop_value", chunk, line, place.column(chunk, line, loop.what:match "[%w_]+$", col),
        loop.what, variable[loop.what] or "i"), 0)
    end
  end
end

-- The words of the text that did not run.
local function words_aside(t)
  local words = {}
  for _, s in pairs(t.skipped) do
    for n = s[2], s[3] do
      for word in (place.line(s[1], n) or ""):gsub("%-%-.*", ""):gmatch "[%a_][%w_]*" do
        words[word] = true
      end
    end
  end
  return words
end

-- Runs f(values...) as a trace.  spec: {mode, name, params = names, values,
-- consts = values by name, early = whether a value is a tensor without a type}.
-- -> trace, results of f (nil when a "sig" ended early)
function M.run(f, spec)
  local t = {
    P = ir.prog(spec.name), f = f, name = spec.name, mode = spec.mode, params = {}, byname = {},
    consts = {}, constlist = {}, values = spec.consts or {}, empties = {}, macros = {},
    launches = 0, used = {}, skipped = {}, loops = {},
  }
  for i, name in ipairs(spec.params) do
    local v = spec.values and spec.values[i]
    local p = {name = name, index = i, value = v, early = spec.early and spec.early(v)}
    t.params[i], t.byname[name] = p, p
  end
  local outer = cur
  cur = t
  strict.enter(f)
  local r = table.pack(xpcall(f, function(e) return (diag.handler(e, f)) end,
    table.unpack(spec.values or {}, 1, #spec.params)))
  strict.leave()
  cur = outer
  if not r[1] then
    if rawequal(r[2], M.done) or t.may_end then
      return t, nil
    end
    no_for(t)
    error(r[2], 0)
  end
  no_for(t)
  if next(t.skipped) then
    ir.aside(t.P, words_aside(t))
  end
  return t, table.pack(table.unpack(r, 2, r.n))
end

-- Inside of a T.macro: its annotations are its own.
function M.enter(scope)
  if cur then
    table.insert(cur.macros, scope)
  end
end

function M.leave()
  if cur then
    table.remove(cur.macros)
  end
end

return M
