-- T/func.lua: functions that are traced: T.prim_func and T.macro.

local accept = require "moontile.base.accept"
local describe = require "moontile.base.describe"
local diag = require "moontile.diag"
local ir = require "moontile.ir"
local place = require "moontile.base.place"
local registry = require "moontile.T.registry"
local stage = require "moontile.stage"
local trace = require "moontile.T.trace"
local W = require "moontile.base.translations"

local def = registry.def

local M = {made = nil} -- made: a list that each prim_func comes into, from who asks

-- T.prim_func -----------------------------------------------------------------

local Prim = {__name = "prim_func"}
Prim.__index = Prim
M.Prim = Prim

function Prim.__tostring(self)
  return ir.text(self.P)
end

function Prim.script(self)
  return ir.text(self.P)
end

accept.methods(Prim, {what = "prim_func:", self = {Prim, "a T.prim_func"}}, {})

-- Finishes the trace of f: its results are T.empty tensors, all of them.
-- -> list of the returned buffers
function M.results(t, r, f)
  local returned = {}
  for i = 1, r and r.n or 0 do
    local v, ours = r[i], false
    for _, e in ipairs(t.empties) do
      ours = ours or ir.samebuf(e, v)
    end
    if not ours then
      place.fail_return(f, "return_other", i, describe(v))
    end
    returned[i] = v
    ir.out(t.P, v)
  end
  for _, e in ipairs(t.empties) do
    local found = false
    for _, v in ipairs(returned) do
      found = found or ir.samebuf(e, v)
    end
    if not found then
      place.fail_return(f, "empty_kept", e.name)
    end
  end
  if t.launches == 0 then
    place.fail_return(f, "no_kernel", t.name)
  end
  ir.sweep(t.P)
  return returned
end

-- Does the trace's result look like a kernel's (and not like a lazy factory's)?
function M.isprim(v)
  return getmetatable(v) == Prim
end

-- The program of a prim_func that no kernel has taken yet: compiling changes it.  again: makes one that came of no
-- function of T.prim_func's.
function M.fresh(prim)
  if prim.taken then
    prim = prim.again and prim.again() or M.prim(prim.f, prim.name)
  end
  prim.taken = true
  return prim
end

function M.prim(f, name)
  local t, r = trace.run(f, {mode = "prim", name = name, params = trace.params(f)})
  local outs = M.results(t, r, f)
  local prim = setmetatable({P = t.P, f = f, name = name, params = t.params, outs = outs,
    empties = t.empties}, Prim)
  if M.made then
    table.insert(M.made, prim)
  end
  return prim
end

def {
  name = "prim_func", sig = "prim_func(f)", types = "f:function",
  summary = "traces f, whose parameters its annotations type, into a kernel program",
  summary_zh = "把 f 追踪为内核程序，参数类型由标注给出",
  example = [[
local p = T.prim_func(function(X)
  X: T.Tensor({64}, T.float32)
  for bx in T.Kernel(1) do T.fill(X, 1) end
end)]],
  where = "host",
  fn = function(f)
    local p = M.prim(f, trace.kernel_name(f))
    return p
  end,
}

-- T.macro ----------------------------------------------------------------------

-- T.Ref: the macro changes what it was passed.  A T.alloc_var and a buffer
-- arrive that way in any case; the annotation says so and asks for one.
local Ref = setmetatable({kind = "ref"}, {__name = "type", __tostring = function()
  return "T.Ref"
end})
local by_reference = {var = true, buffer = true, region = true}

def {
  name = "Ref", sig = "Ref", value = Ref,
  summary = "type of a macro's parameter that the macro assigns: a variable, element or slice",
  summary_zh = "宏参数的类型：宏会对其赋值的变量、元素或切片",
  example = [[
local inc = T.macro(function(x, by)
  x: T.Ref
  x += by
end)
inc(row[0], 2)]],
}

-- The type that a macro's parameter is annotated with must fit what was passed.
local function annotate_macro(scope, name, v, ty)
  if type(ty) == "table" and ty.kind == "ref" then
    v = scope.var[v] or v
    local k = ir.kind(v)
    if k == "element" then
      return (stage.bind(name, ir.byref(v)))
    elseif k ~= "var" and k ~= "region" and k ~= "buffer" then
      diag.fail("arg_type", "T.macro", name, W"a T.alloc_var, an element or a slice",
        describe(v), "T.Ref")
    end
  end
  if type(ty) == "table" and ty.kind == "buffer" then
    if ir.kind(v) ~= "buffer" or v.scope ~= ty.scope then
      diag.fail("arg_type", "T.macro", name, W("a " .. ty.scope .. " buffer"), describe(v),
        tostring(ty))
    end
  elseif ty == Ref and not by_reference[ir.kind(v)] then
    diag.fail("arg_type", "T.macro", name, W"a T.alloc_var or a buffer", describe(v),
      name .. ": T.Ref")
  end
  return v
end

local Closer = {__close = function() trace.leave() end}

-- Scalars that a macro gets are read once, at the call, whichever way the macro came there;
-- var: from what a T.alloc_var held to that variable, which T.Ref asks for. What comes as
-- `...` may be for another macro: its variables stay.
local function bind(P, var, names, ...)
  local args = table.pack(...)
  for i = 1, args.n do
    local v = args[i]
    local k, name = ir.kind(v), names[i]
    if k == "element" or k == "expr" then
      args[i] = ir.let(P, name or "arg", v)
    elseif name then
      args[i] = stage.bind(name, v)
      if k == "var" then
        var[args[i]] = v
      end
    end
  end
  return table.unpack(args, 1, args.n)
end

def {
  name = "macro", sig = "macro(f)", types = "f:function",
  summary = "a function that may use T and symbolic conditions; inlined where it is called",
  summary_zh = "可使用 T 与符号条件的函数，在调用处内联",
  example = [[
local double = T.macro(function(t)
  for i in T.Parallel(32) do t[i] *= 2 end
end)
double(row)]],
  fn = function(f)
    local names = trace.params(f)
    return function(...)
      local P = trace.prog("T.macro")
      local scope = {annotate = annotate_macro, var = {}}
      trace.enter(scope)
      local _ <close> = setmetatable({}, Closer)
      if trace.current().mode == "sig" then
        local r = table.pack(f(...))
        return table.unpack(r, 1, r.n)
      end
      local r = table.pack(f(bind(P, scope.var, names, ...)))
      return table.unpack(r, 1, r.n)
    end
  end,
}

return M
