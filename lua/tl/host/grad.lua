-- tl/host/grad.lua: derivatives as users of Lua and Python ask for them; autograd.lua does the work.

local autograd = require "moontile.tl.host.autograd"
local diag = require "moontile.diag"
local tensor = require "moontile.tensor"
local def = require("moontile.tl.host.registry").def

def {
  name = "requires_grad_", sig = "requires_grad_(input, requires_grad=True)", method = true, plain = true,
  types = {requires_grad = "bool"},
  en = "from now on what is computed of input leaves behind how, so that backward() can give t.grad",
  zh = "从此由 input 算出的结果都留下来历，backward() 便可求出 t.grad",
  ex = "v = tl.ones {3}\ntl.host.requires_grad_(v)\nprint(v.requires_grad)",
  fn = function(x, on) return autograd.require(x, on) end,
}
def {
  name = "backward", sig = "backward(input, gradient=None, retain_graph=False, create_graph=False)", method = true,
  plain = true, types = {gradient = "tensor", retain_graph = "bool", create_graph = "bool"},
  en = "adds to the grad of each tensor that requires gradients the derivative of input by it; gradient: that of what comes after input, 1 for a single number",
  zh = "把 input 对每个需要梯度的张量的导数加到其 grad；gradient 为 input 之后部分的梯度，单个数时为 1",
  ex = "v = tl.ones {3}\nv:requires_grad_()\ntl.host.backward(tl.host.sum(v * v))\nprint(v.grad)",
  fn = function(x, gradient, retain, create) autograd.backward(x, gradient, retain, create) end,
}
def {
  name = "grad",
  sig = "grad(outputs, inputs, grad_outputs=None, retain_graph=False, create_graph=False, allow_unused=False)",
  plain = true,
  types = {outputs = "stack", inputs = "stack", grad_outputs = "any", retain_graph = "bool", create_graph = "bool",
    allow_unused = "bool"},
  en = "a list: derivatives of outputs by each of inputs; t.grad stays as it is",
  zh = "一列导数：outputs 对 inputs 中每一个的导数；不改动 t.grad",
  ex = "v = tl.ones {3}\nv:requires_grad_()\nprint(tl.host.grad(tl.host.sum(v * v), v)[1])",
  fn = function(outputs, inputs, given, retain, create, unused)
    local function list(v) return (v == nil or not tensor.istensor(v)) and v or {v} end
    return autograd.grad(list(outputs), list(inputs), list(given), retain, create, unused)
  end,
}
def {
  name = "detach", sig = "detach(input)", method = true, plain = true,
  en = "the same memory as a tensor that backward() does not go through",
  zh = "共用内存、但 backward() 不再穿过的张量", ex = "print(tl.host.detach(x))",
  fn = autograd.detach,
}
def {
  name = "retain_grad", sig = "retain_grad(input)", method = true, plain = true,
  en = "keeps the grad of a tensor that was computed from others", zh = "保留由其他张量算出的张量的 grad",
  ex = "v = tl.ones {3}\nv:requires_grad_()\ny = v * 2\ntl.host.retain_grad(y)\ntl.host.sum(y):backward()\nprint(y.grad)",
  fn = autograd.retain,
}
def {
  name = "no_grad", sig = "no_grad()", plain = true,
  en = "until the end of the block of `local _ <close> = tl.host.no_grad()` nothing leaves behind how it was computed",
  zh = "在 `local _ <close> = tl.host.no_grad()` 所在的块内，计算不留来历",
  ex = "do\n  local _ <close> = tl.host.no_grad()\n  print(x * 2)\nend",
  fn = function() return autograd.set(false) end,
}
-- PyTorch's check: numpy() of what has a history would lose it.
def {
  name = "numpy", sig = "numpy(input)", method = true, plain = true,
  en = "the tensor itself: there is one kind of arrays", zh = "张量本身：数组只有一种", ex = "print(tl.host.numpy(x))",
  fn = function(x)
    if autograd.needs(x) then diag.fail("grad_numpy") end
    return x
  end,
}
