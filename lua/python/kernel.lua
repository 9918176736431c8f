-- python/kernel.lua: what the printed text of a kernel or macro calls, beside `__stage`: Python's assignments,
-- conditions and loops on symbolic values.
--
-- A kernel's `x = e` binds a value, as TileLang does.  Statements stand in blocks, which the printer numbers (0 is
-- the body); a block that becomes a frame of the program (a loop, a symbolic branch) ends the life of what was bound in it.
-- frame().decl[name] = {block =, depth =} says where a name was bound last, .up[b] is the block around b,
-- .entry[b] how many frames were open where b began, .since[b] at which reading it did: .reads counts those that
-- M.get sees, and .read[name][b] is the last one of a name in b.  .open[name]: it holds an expression that is not bound.

local describe = require "moontile.base.describe"
local diag = require "moontile.diag"
local ir = require "moontile.ir"
require "moontile.T" -- the names in the registry
local registry = require "moontile.T.registry"
local stage = require "moontile.stage"
local trace = require "moontile.T.trace"
local core = require "moontile.stage.core"

local python = require "moontile.python.core"
local late, symbolic = python.late, core.symbolic

local M = {}

local types = require "moontile.base.types"

-- P: moontile.python, which takes these functions in.
function M.install(P)

-- Blocks --------------------------------------------------------------------

local function open(fr)
  if not fr.up then
    fr.up, fr.entry, fr.decl = {}, {[0] = fr[0]}, {}
    fr.since, fr.read, fr.reads, fr.open = {}, {}, 0, {}
  end
  return fr
end

-- turn: the body of a `while`, whose turns begin with its condition.
function M.enter(fr, b, around, turn)
  open(fr)
  fr.up[b], fr.entry[b], fr.since[b] = around, core.depth(), turn and fr.turn or fr.reads
end

function M.again(fr, k)
  open(fr).turn = fr.reads
  return stage.again(fr, k)
end

local function is_around(fr, up, b)
  while b and b > up do
    b = fr.up[b]
  end
  return b == up
end

-- The innermost block around a and b.
local function common(fr, a, b)
  while not is_around(fr, a, b) do
    a = fr.up[a]
  end
  return a
end

-- Names ---------------------------------------------------------------------

-- Is a binding alive in block b: are the loops and branches of the program around it, if any, around b too?  A block
-- of Python's alone, `if flag:`, ends nothing.
local function alive(fr, decl, b)
  return is_around(fr, decl.block, b) or decl.depth <= fr.entry[common(fr, decl.block, b)]
end

-- The outermost block around b that began inside a loop of the program which opened behind decl; nil: there is no
-- such loop.
local function turning(fr, decl, b)
  local program, outermost, top = trace.current().P, nil, common(fr, decl.block, b)
  while b ~= top do
    outermost = ir.loops(program, decl.depth, fr.entry[b]) > 0 and b or outermost
    b = fr.up[b]
  end
  return outermost
end

local told = {} -- places of warnings about names

-- A warning about name at this line, once.
local function tell(id, name, ...)
  local file, line = diag.where()
  local place = ("%s:%d: %s"):format(file, line, name)
  if not told[place] then
    told[place] = true
    io.stderr:write(tostring(diag.at(id, file, line, 0, name, ...)), "\n")
  end
end

-- x = e in block b of a loop or branch of the program, where x was bound around it: the new value is the block's, as
-- TileLang has it.  To Python it is also that of the loop's next turn.  Where that turn has read x before, on the way
-- to here, the kernel must have meant it; where it has in another branch, TileLang warns and takes the one from outside.
local function rebind(fr, decl, old, name, b)
  local loop, elsewhere = turning(fr, decl, b), false
  for at, when in pairs(loop and fr.read[name] or {}) do
    if when > fr.since[loop] then
      if is_around(fr, at, b) or not symbolic(old) then
        diag.fail("py_rebound", name)
      end
      elsewhere = true
    end
  end
  if elsewhere then
    tell("py_rebound_branch", name)
  end
end

-- Can a var of the program hold e?  A name that is given anything else, another var as well, is another name from there on.
local function storable(e)
  return symbolic(e) and not stage.isfresh(e) or math.type(e) ~= nil or type(e) == "boolean"
end

-- x = e, of which `as` is "name" (a statement), "open" (x is the expression itself, which is worth what it is worth where
-- x is read) or "alone" (the same, also where x is a var); else as M.assign.
local function assign(fr, old, e, name, b, how, as)
  local be = stage.backend
  if not be then
    return e
  end
  open(fr).open[name] = as ~= "name" or nil
  local decl = fr.decl[name] or old ~= nil and {block = 0, depth = fr[0]}
  local inside = decl and alive(fr, decl, b)
  if fr.targets and fr.targets[name] then -- a loop's own variable is a new one, whatever had its name
    fr.targets[name], inside = nil, false
  end
  if inside and how ~= "turn" and core.isobj(old) and be.is_var(old) then
    if as == "alone" then
      tell("py_walrus_var", name)
    elseif storable(e) then
      fr.open[name] = nil
      return (stage.set(old, e, name))
    end
  end
  local depth = core.depth()
  if inside and depth > decl.depth and how ~= "turn" then
    if how == "shared" then -- nobody knows when they read it
      diag.fail("py_rebound", name)
    end
    rebind(fr, decl, old, name, b)
  end
  fr.decl[name] = {block = b, depth = depth}
  if as == "name" then
    return (stage.set(nil, e, name))
  end
  return stage.isfresh(e) and e or core.value(e)
end

-- x = e, where x holds `old` (nil: nothing yet); returns what x holds now.  how: "turn": x is a `for`'s, which may hide
-- that of a loop around it; behind the loop nobody reads either.  "shared": functions inside read x, too.
function M.assign(fr, old, e, name, b, how)
  return assign(fr, old, e, name, b, how, "name")
end

-- x op= e, where v is the result.  TileLang binds it where x was bound, and where x was Python's number it does not.
function M.augment(fr, old, v, name, b, how)
  local number = math.type(old) or type(old) == "boolean" or open(fr).open[name]
  return assign(fr, old, v, name, b, how, number and symbolic(v) and "open" or "name")
end

-- x := e, which TileLang leaves to Python.
function M.named(fr, old, e, name, b, how)
  return assign(fr, old, e, name, b, how, "alone")
end

-- The value v of a name that may have been bound in a block which has ended.
function M.get(fr, v, name, b)
  if v == nil then
    P.unbound(name, "own")
  end
  local decl = open(fr).decl[name]
  local read = fr.read[name] or {}
  fr.reads = fr.reads + 1
  fr.read[name], read[b] = read, fr.reads
  if decl and not alive(fr, decl, b) then
    diag.fail("py_gone", name)
  end
  return v
end

-- What stands for a target that is no name: an element or attribute, targets within it.
M.place, M.several = {}, {}

-- A value as it is now; for targets within a target those in it.
local function taken(be, v, target)
  if (target == M.place or target == M.several) and be.sliced(v) then
    diag.fail("slice_value", be.sliced(v).name)
  elseif symbolic(v) then
    return stage.isfresh(v) and v or be.let("t", core.value(v))
  elseif target == M.several and (python.istuple(v) or python.kind(v) == "list") then
    local l = {}
    for i = 1, v.n do
      l[i] = taken(be, v[i], target)
    end
    return P.tuple(l)
  end
  return v
end

-- The values for n targets, of which names hold v1 .. vn: all are taken before one is given.
function M.taken(n, ...)
  local be, any = stage.backend, false
  local v = table.pack(select(n + 1, ...))
  for i = 1, n do
    local old = select(i, ...)
    any = any or be and (old == M.place or old == M.several or core.isobj(old) and be.is_var(old))
  end
  for i = 1, any and n or 0 do
    v[i] = taken(be, v[i], (select(i, ...)))
  end
  return table.unpack(v, 1, n)
end

-- Conditions ------------------------------------------------------------------

-- A value as a condition: symbolic ones hold where they are not 0.
local function condition(v)
  if not symbolic(v) then
    return P.truth(v)
  end
  v = core.value(v)
  if not stage.backend.is_bool(v) then
    return stage.ne(v, 0)
  end
  return v
end
M.condition = condition

-- A side of `and` or `or` that Python may give as the result: of a symbolic one only a truth value will do.
local function side(word, v)
  local truth = type(v) == "boolean"
  if symbolic(v) then
    v = core.value(v)
    truth = stage.backend.is_bool(v)
  end
  if not truth then
    diag.fail("py_logic", word)
  end
  return v
end

-- a and f(): what a is when it is false, False or 0, is the same to a program.
function M.sland(a, f)
  if not symbolic(a) then
    return P.land(a, f)
  end
  return (stage.land(condition(a), function() return side("and", f()) end))
end

function M.slor(a, f)
  if not symbolic(a) then
    return P.lor(a, f)
  end
  return (stage.lor(side("or", a), function() return side("or", f()) end))
end

function M.sno(a)
  if not symbolic(a) then
    return P.no(a)
  end
  return (stage.no(condition(a)))
end

-- A side of a choice: numbers, truth values and what the kernel computes.
local function chosen(f)
  return function()
    local v = f()
    if type(v) ~= "boolean" and not math.type(v) and not symbolic(v) then
      diag.fail("stage_select", describe(v))
    end
    return v
  end
end

-- f() if c else g(): of a symbolic c both, and the program chooses, as T.if_then_else does.
function M.schoose(c, f, g)
  if not symbolic(c) then
    return P.choose(c, f, g)
  end
  return (stage.if_then_else(registry.names.if_then_else.value, condition(c), chosen(f), chosen(g)))
end

function M.sassert(c, message)
  local text = message and P.str(message()) or nil
  if symbolic(c) then
    stage.assert(condition(c), text)
  elseif not P.truth(c) then
    P.assertion(text)
  end
end

-- Loops -----------------------------------------------------------------------

-- A frame of T's as Python holds it: what T gave for a generic `for`.
local Frame = {__name = "frame"}

function M.frame_of(f, s, c, cl)
  return setmetatable({f, s, c, cl, n = s.n, what = s.what}, Frame)
end

local function isframe(v)
  return getmetatable(v) == Frame
end

local usual = {"bx", "by", "bz"}

-- A frame as the values of a generic `for`, whose variables are named in `names`, "i,j"; apart: there are as
-- many as names, else one, which is a tuple of them when the frame gives several.
local function frame_loop(enter, v, names, apart)
  if apart or v.n == 1 and names ~= "" then
    return enter(names, v[1], v[2], v[3], v[4])
  end
  local all = {}
  for i = 1, v.n do
    all[i] = names ~= "" and names ~= "_" and names .. "_" .. i - 1 or v.what == "T.Kernel" and usual[i] or "_"
  end
  local f, s, c, cl = enter(table.concat(all, ","), v[1], v[2], v[3], v[4])
  return function(...)
    local r = table.pack(f(...))
    if r[1] == nil then
      return nil
    end
    return v.n == 1 and r[1] or P.tuple(r)
  end, s, c, cl
end

-- Is a kernel's body being traced?  There `range` is T.serial.
local function in_kernel()
  local t = trace.current()
  return t and t.mode ~= "sig" and ir.frames(t.P) > 0
end

local function serial(r)
  return M.frame_of(registry.names.serial.value(r.start, r.stop, r.step))
end

-- range(n) of a number that is known only when the kernel runs, as TileLang has it: T.serial; nil: of plain numbers.
function late.range_of_kernel(a, b, step)
  local function open_number(v)
    return v ~= nil and not math.type(v) and ir.isvalue(v, true)
  end
  if (open_number(a) or open_number(b) or open_number(step)) and in_kernel() then
    return M.frame_of(registry.names.serial.value(a, b, step))
  end
end

-- for names in v, in slot k of frame fr.
function M.loop(fr, k, names, apart, v)
  if P.isrange(v) and in_kernel() then
    v = serial(v)
  end
  if isframe(v) then
    fr.targets = {}
    for name in names:gmatch "[^,]+" do
      fr.targets[name] = true
    end
    return frame_loop(function(...) return stage.loopk(fr, k, ...) end, v, names, apart)
  end
  fr[k + 1] = false
  if apart then
    return P.iterate(v, select(2, names:gsub(",", "")) + 1)
  end
  return P.iter(v)
end

-- with ------------------------------------------------------------------------

-- What __exit__ is told of an error.
local function exit_values(err)
  local e = P.exception(err)
  if not e then
    return P.None, P.None, P.None
  end
  return P.attr(e, "__class__"), e, P.None
end

local Manager = {}

function Manager.__close(self, err)
  if self.left then
    return
  end
  self.left = true
  if err == nil then
    P.method(self.object, "__exit__", P.None, P.None, P.None)
  elseif P.truth(P.method(self.object, "__exit__", exit_values(err))) then
    diag.fail("py_exit_swallows")
  end
end

-- An object with __enter__ and __exit__ as a loop of one turn.
local function manager(v, n)
  local self = setmetatable({object = v}, Manager)
  local value = P.method(v, "__enter__")
  return function(state)
    if state.turned then
      return nil
    end
    state.turned = true
    if n then
      return P.unpack(value, n)
    end
    return value
  end, self, nil, self
end

-- with v as names, in a kernel.
function M.frame_with(names, apart, v)
  if not isframe(v) then
    return manager(v, apart and select(2, names:gsub(",", "")) + 1 or nil)
  end
  return frame_loop(stage.loop, v, names, apart)
end

-- Types and results -------------------------------------------------------------

-- Is t a type of Python's, which says that the argument is known when the kernel is made?
local function compile_time(t)
  return t == P.None or t == registry.names.dtype.value or P.isclass(t) or P.isannotation(t)
end

-- name: t, of a parameter or of a name that the kernel's signature declares.  A function says the type when it is called,
-- as in TileLang.
function M.annotate(name, v, t)
  local sig = python.sigs[t]
  if sig and not sig.native then
    t = P.call(t)
  end
  if compile_time(t) then
    return v
  end
  local given = v
  if v == P.None then
    given = nil
  end
  local r = stage.annotate(name, given, P.to_lua(t))
  return r == nil and v or r
end

-- name: t, of another name: it gets no value by that.  TileLang would make a parameter of a T.Tensor.
function M.declared(name, t)
  if type(t) == "table" and (t.kind == "tensor" or t.kind == "ptr") and not compile_time(t) then
    require("moontile.base.place").fail(name, "annotate_name", name)
  end
end

-- name: t = e.  TileLang does not look at the type.
function M.typed(name, t, e)
  local of = math.type(e) == "float" and "float32" or math.type(e) and "int32" or
    symbolic(e) and not stage.isfresh(e) and ir.dtype(core.value(e)) or nil
  if of and type(t) == "string" and types.isdtype(t) and t ~= of then
    tell("py_typed", name, t, of)
  end
  return e
end

-- A kernel's arguments as Python has them: lists and dicts came as plain tables, None as nil.
function M.given(...)
  local v = table.pack(...)
  for i = 1, v.n do
    v[i] = P.from_lua(v[i])
  end
  return table.unpack(v, 1, v.n)
end

-- What a kernel returns: the items of a tuple are several results.
function M.results(v)
  if v == P.None then
    return
  elseif P.istuple(v) then
    return table.unpack(v, 1, v.n)
  end
  return v
end

for k, f in pairs(M) do
  if k ~= "install" then
    P[k] = f
  end
end

end

return M
