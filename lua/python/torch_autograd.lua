-- python/torch_autograd.lua: torch.autograd, no_grad and its like, and what tensors have of gradients: the tape
-- is tl.host's (tl/host/autograd.lua).

local attr = require "moontile.python.attr"
local autograd = require "moontile.tl.host.autograd"
local control = require "moontile.python.control"
local core = require "moontile.python.core"
local dict = require "moontile.python.dict"
local exc = require "moontile.python.exc"
local foreign = require "moontile.python.foreign"
local func = require "moontile.python.func"
local made = require "moontile.python.made"
local native = require "moontile.python.native"
local tensor = require "moontile.tensor"

local M = {}

local wraps = require("moontile.python.lib.functools").wraps
local None, to_lua, getmt = core.None, foreign.to_lua, debug.getmetatable

-- Modes -----------------------------------------------------------------------

-- torch.no_grad: a context, and with or without parentheses a decorator; returns what makes one of a mode,
-- and the function.
local function mode(name, on)
  local cls = made.class(name, "torch.autograd.grad_mode", {
    ["__enter__(self)"] = function(m)
      m.before = autograd.switch(m.on)
      return None
    end,
    ["__exit__(self, kind, value, traceback)"] = function(m)
      autograd.switch(m.before)
      return None
    end,
  })
  local function manager(v)
    return setmetatable({on = v}, cls.meta)
  end
  local function wrapped(f, v)
    return func.call(wraps(f), native.make(name, "**", function(kw, ...)
      local args, r = core.pack(...), nil
      control.with(manager(v), function() r = func.calls(f, args, kw) end)
      return r
    end))
  end
  made.methods(cls, {["__call__(self, func)"] = function(m, f) return wrapped(f, m.on) end})
  return manager, native.make(name, "**", function(kw, f)
    if type(f) == "function" then
      return wrapped(f, on)
    end
    f = f == nil and kw and dict.get(kw, "mode") or f
    return manager(f == false and not on or f ~= false and on) -- inference_mode(False) is no mode
  end)
end

-- set_grad_enabled(mode): from the call on, within `with` until its end.
local function set_grad_enabled()
  local manager = mode("set_grad_enabled", true)
  return native.make("set_grad_enabled", "mode", function(on)
    local m = manager(core.late.truth(on))
    local before = autograd.switch(m.on)
    local cls = getmt(m).__pyclass
    made.methods(cls, {["__enter__(self)"] = function(x)
      x.before = before
      return None
    end})
    return m
  end)
end

-- Functions of the user's -----------------------------------------------------

local Context = made.class("FunctionCtx", "torch.autograd.function", {
  ["save_for_backward(**)"] = function(_, c, ...)
    c.to_save = core.pack(...)
    return None
  end,
  ["mark_non_differentiable(**)"] = function(_, c, ...)
    c.constant = {}
    for _, t in ipairs {...} do c.constant[t] = true end
    return None
  end,
  ["mark_dirty(**)"] = function(_, c, ...)
    c.dirty = {}
    for _, t in ipairs {...} do c.dirty[t] = true end
    return None
  end,
  ["set_materialize_grads(self, value)"] = function(c, on)
    c.sparse = not core.late.truth(on)
    return None
  end,
})
made.properties(Context, {
  saved_tensors = function(c) return c.to_save or core.tuple {} end,
})

local Function = made.class("Function", "torch.autograd", {})

-- The function of a class's static method, or an error that names what is missing.
local function static(cls, name)
  local f = cls.lookup[name]
  if f == nil then
    exc.fail("NotImplementedError", ("You must implement the %s function for custom autograd.Function."):format(name), nil,
      name)
  end
  return getmt(f) == attr.Static and f.f or f
end

-- What backward gave, by the place of the input.
local function gradients(cls, r, n)
  local list = core.istuple(r) and r or core.pack(r)
  for i = n + 1, list.n do
    if list[i] ~= None then
      exc.fail("RuntimeError", ("function %sBackward returned an incorrect number of gradients (expected %d, got %d)")
        :format(cls.name, n, list.n), nil, "backward")
    end
  end
  if list.n < n then
    exc.fail("RuntimeError", ("function %sBackward returned an incorrect number of gradients (expected %d, got %d)")
      :format(cls.name, n, list.n), nil, "backward")
  end
  local grads = {}
  for i = 1, n do
    grads[i] = tensor.istensor(list[i]) and list[i] or nil
  end
  return grads
end

-- The results as tensors of their own: what forward gives of its inputs becomes another handle.
local function outputs_of(ctx, r, inputs)
  local list = core.istuple(r) and core.tuple(table.move(r, 1, r.n, 1, {}), r.n) or core.pack(r)
  for i = 1, list.n do
    local t = list[i]
    for j = 1, inputs.n do
      if t == inputs[j] and tensor.istensor(t) and not (ctx.dirty and ctx.dirty[t]) then
        list[i] = autograd.detach(t)
      end
    end
  end
  return list
end

-- cls.apply(..)
local function apply(cls, ...)
  local inputs, any = core.pack(...), false
  local needs = {}
  for i = 1, inputs.n do
    needs[i] = tensor.istensor(inputs[i]) and autograd.needs(inputs[i])
    any = any or needs[i]
  end
  local forward, ctx = static(cls, "forward"), made.object(Context)
  ctx.needs_input_grad = core.tuple(needs, inputs.n)
  local setup = cls.lookup.setup_context
  local r
  do
    local _ <close> = autograd.set(false)
    if setup then
      r = func.call(forward, ...)
      func.call(getmt(setup) == attr.Static and setup.f or setup, ctx, inputs, r)
    else
      r = func.call(forward, ctx, ...)
    end
  end
  if not (any and autograd.enabled()) then
    return r
  end
  local list = outputs_of(ctx, r, inputs)
  local followed = {n = list.n}
  for i = 1, list.n do
    followed[i] = not (ctx.constant and ctx.constant[list[i]]) and list[i] or nil
  end
  local node = autograd.custom(cls.name, inputs, followed, function(...)
    local grads = table.pack(...)
    for i = 1, list.n do
      grads[i] = grads[i] == nil and None or grads[i]
    end
    return gradients(cls, func.call(static(cls, "backward"), ctx, table.unpack(grads, 1, list.n)), inputs.n)
  end)
  node.sparse = ctx.sparse
  return core.istuple(r) and list or list[1]
end
made.classmethod(Function, "apply", function(cls, kw, ...)
  if kw and kw.n > 0 then
    exc.fail("TypeError", "apply() takes no keyword arguments", nil, "apply")
  end
  return apply(cls, ...)
end)
Function.construct = native.make("Function", "**", function()
  exc.fail("RuntimeError", "an autograd.Function is not made, but called: write Name.apply(..)", nil, "Function")
end)

-- torch.autograd.grad, backward -------------------------------------------------

local function tensors(v)
  if v == nil or v == None then
    return nil
  end
  return tensor.istensor(v) and {v} or to_lua(v)
end

local function grad(outputs, inputs, given, retain, create, _, unused)
  local list = autograd.grad(tensors(outputs), tensors(inputs), tensors(given), retain == true, create == true,
    unused == true)
  local n = #tensors(inputs)
  for i = 1, n do
    list[i] = list[i] or None
  end
  return core.tuple(list, n)
end

-- Tensors -----------------------------------------------------------------------

local of_tensor = {
  requires_grad = function(t) return autograd.needs(t) end,
  grad = function(t) return autograd.grad_of(t) or None end,
  is_leaf = autograd.is_leaf,
  grad_fn = function(t)
    local name = autograd.origin(t)
    return name and ("<%sBackward>"):format(name) or None
  end,
  data = autograd.detach,
}

-- t.name, of gradients; nil: it is none of these
function M.tensor_attr(t, name)
  local f = of_tensor[name]
  return f and f(t)
end

local writes = {
  grad = function(t, v)
    if v ~= None and not tensor.istensor(v) then
      exc.fail("TypeError", ("assigned grad expected to be a Tensor or None but got grad of type %s"):format(core.typename(v)))
    end
    autograd.set_grad(t, v ~= None and v or nil)
  end,
  requires_grad = function(t, v) autograd.require(t, v == true) end,
  data = function(t, v)
    local _ <close> = autograd.set(false)
    t:copy_(v)
  end,
}

-- t.name = v; true: done
function M.tensor_setattr(t, name, v)
  if writes[name] then
    writes[name](t, v)
    return true
  end
end

-- torch.autograd, and what stands in torch itself, into t.
function M.fill(t, module)
  for name, on in pairs {no_grad = false, enable_grad = true, inference_mode = false} do
    t[name] = select(2, mode(name, on))
  end
  t.set_grad_enabled = set_grad_enabled()
  t.is_grad_enabled = native.make("is_grad_enabled", "", autograd.enabled)
  local fn = module("torch.autograd.function", {Function = Function, FunctionCtx = Context,
    once_differentiable = native.make("once_differentiable", "fn", function(f) return f end)})
  t.autograd = module("torch.autograd", {Function = Function, ["function"] = fn, no_grad = t.no_grad,
    enable_grad = t.enable_grad,
    grad = native.make("grad", "outputs, inputs, grad_outputs?, retain_graph?, create_graph?, only_inputs?, allow_unused?",
      grad),
    backward = native.make("backward", "tensors, grad_tensors?, retain_graph?, create_graph?", function(v, g, retain, create)
      local list, given = tensors(v), tensors(g) or {}
      for i, x in ipairs(list) do
        autograd.backward(x, given[i], retain == true or i < #list, create == true)
      end
      return None
    end),
  })
end

return M
