-- python/torch_optim.lua: torch.optim: SGD, Adam and AdamW, each step as PyTorch computes it.

local autograd = require "moontile.tl.host.autograd"
local core = require "moontile.python.core"
local dict = require "moontile.python.dict"
local exc = require "moontile.python.exc"
local func = require "moontile.python.func"
local iter = require "moontile.python.iter"
local made = require "moontile.python.made"
local rows = require("moontile.tl.host.registry").rows
local tensor = require "moontile.tensor"

local M = {}

local None = core.None

local function op(name, ...) return (rows[name].fn(...)) end

local function truth(v) return v ~= nil and core.late.truth(v) end

-- The parameters of a group, as a list.
local function tensors(v)
  local list = tensor.istensor(v) and exc.fail("TypeError", "params argument given to the optimizer should be an iterable of \z
    Tensors or dicts, but got torch.cuda.FloatTensor") or iter.list(v)
  for i = 1, list.n do
    if not tensor.istensor(list[i]) then
      exc.fail("TypeError", "optimizer can only optimize Tensors, but one of the params is " .. core.typename(list[i]))
    elseif not autograd.is_leaf(list[i]) then
      exc.fail("ValueError", "can't optimize a non-leaf Tensor")
    end
  end
  return list
end

-- Groups of parameters as dicts with what an optimizer is told, of which a group may have its own.
local function groups(params, defaults)
  local given = iter.list(tensor.istensor(params) and tensors(params) or params)
  if given.n == 0 then
    exc.fail("ValueError", "optimizer got an empty parameter list")
  end
  if core.kind(given[1]) ~= "dict" then
    local one = dict.new()
    dict.put(one, "params", given)
    given = core.list({one}, 1)
  end
  for i = 1, given.n do
    local g, one = dict.new(), given[i]
    dict.put(g, "params", tensors(tensor.istensor(dict.get(one, "params")) and core.list({dict.get(one, "params")}, 1)
      or dict.get(one, "params")))
    for _, pair in ipairs(defaults) do
      dict.put(g, pair[1], pair[2])
    end
    for k, v in dict.each(one) do
      if k ~= "params" then
        dict.put(g, k, v)
      end
    end
    given[i] = g
  end
  return given
end

-- name -> function(get, state, p, g): a parameter's step; get(option), state: of this parameter, kept
local steps = {}

function steps.SGD(get, state, p, g)
  local momentum, decay = get "momentum", get "weight_decay"
  g = decay ~= 0 and op("add", g, p, decay) or g
  if momentum ~= 0 then
    if state.buffer then
      state.buffer = op("add", op("mul", state.buffer, momentum), g, 1 - get "dampening")
    else
      state.buffer = op("clone", g)
    end
    g = truth(get "nesterov") and op("add", g, state.buffer, momentum) or state.buffer
  end
  return op("add", p, g, -get "lr")
end

local function adam(apart)
  return function(get, state, p, g)
    local lr, decay, betas = get "lr", get "weight_decay", get "betas"
    local b1, b2 = betas[1], betas[2]
    if decay ~= 0 and apart then
      p = op("mul", p, 1 - lr * decay)
    elseif decay ~= 0 then
      g = op("add", g, p, decay)
    end
    state.step = (state.step or 0) + 1
    state.mean = op("lerp", state.mean or tensor.new(p.shape, p.dtype), g, 1 - b1)
    state.square = op("addcmul", op("mul", state.square or tensor.new(p.shape, p.dtype), b2), g, g, 1 - b2)
    local square = state.square
    if truth(get "amsgrad") then
      state.largest = op("maximum", state.largest or tensor.new(p.shape, p.dtype), square)
      square = state.largest
    end
    local denominator = op("add", op("div", op("sqrt", square), (1 - b2 ^ state.step) ^ 0.5), get "eps")
    return op("addcdiv", p, state.mean, denominator, -(lr / (1 - b1 ^ state.step)))
  end
end
steps.Adam, steps.AdamW = adam(false), adam(true)

-- One step of every parameter that has a gradient.
local function step(o, name, closure)
  local loss = None
  if closure ~= nil and closure ~= None then
    local _ <close> = autograd.set(true)
    loss = func.call(closure)
  end
  local _ <close> = autograd.set(false)
  for i = 1, o.param_groups.n do
    local group = o.param_groups[i]
    local function get(k) return dict.get(group, k) end
    local params = get "params"
    for k = 1, params.n do
      local p = params[k]
      local g = autograd.grad_of(p)
      if g then
        o.states[p] = o.states[p] or {}
        p:copy_(steps[name](get, o.states[p], p, truth(get "maximize") and op("neg", g) or g))
      end
    end
  end
  return loss
end

local function zero_grad(o, to_none)
  for i = 1, o.param_groups.n do
    local params = dict.get(o.param_groups[i], "params")
    for k = 1, params.n do
      local g = autograd.grad_of(params[k])
      if g and (to_none == nil or truth(to_none)) then
        autograd.set_grad(params[k], nil)
      elseif g then
        local _ <close> = autograd.set(false)
        g:fill_(0)
      end
    end
  end
  return None
end

local function negative(name, v)
  if v < 0 then
    exc.fail("ValueError", ("Invalid %s: %s"):format(name, core.late.str(v)))
  end
end

-- name(params, sig): an optimizer whose arguments are those of sig, with these defaults.
local function optimizer(name, sig, defaults)
  local cls
  cls = made.class(name, "torch.optim", {
    ["__init__(self, params, " .. sig .. ")"] = function(o, params, ...)
      local list, values = {}, {...}
      for i, d in ipairs(defaults) do
        local v = values[i]
        if v == nil or v == None then v = d[2] end
        list[i] = {d[1], v}
      end
      for _, d in ipairs(list) do
        if d[1] == "lr" then
          negative("learning rate", d[2])
        elseif d[1] == "weight_decay" or d[1] == "momentum" then
          negative(d[1] .. " value", d[2])
        end
      end
      o.param_groups, o.states = groups(params, list), setmetatable({}, {__mode = "k"})
      return None
    end,
    ["step(self, closure?)"] = function(o, closure) return step(o, name, closure) end,
    ["zero_grad(self, set_to_none?)"] = zero_grad,
  }, {M.Optimizer})
  M[name] = cls
end

M.Optimizer = made.class("Optimizer", "torch.optim", {})
optimizer("SGD", "lr?, momentum?, dampening?, weight_decay?, nesterov?, *, maximize?, foreach?, differentiable?, fused?",
  {{"lr", 1e-3}, {"momentum", 0}, {"dampening", 0}, {"weight_decay", 0}, {"nesterov", false}, {"maximize", false}})
for name, decay in pairs {Adam = 0, AdamW = 1e-2} do
  optimizer(name, "lr?, betas?, eps?, weight_decay?, amsgrad?, *, maximize?, foreach?, capturable?, differentiable?, fused?",
    {{"lr", 1e-3}, {"betas", core.pack(0.9, 0.999)}, {"eps", 1e-8}, {"weight_decay", decay}, {"amsgrad", false}, {"maximize", false}})
end

return M
