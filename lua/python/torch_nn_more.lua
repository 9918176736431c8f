-- python/torch_nn_more.lua: torch.nn's norms of channels, and the layers that are one function each.
--
-- The functions compute with operators that autograd follows; a layer keeps its arguments and calls its function.

local attr = require "moontile.python.attr"
local core = require "moontile.python.core"
local exc = require "moontile.python.exc"
local foreign = require "moontile.python.foreign"
local func = require "moontile.python.func"
local made = require "moontile.python.made"
local native = require "moontile.python.native"
local image = require "moontile.python.torch_image"
local pooling = require "moontile.python.torch_pool"
local rows = require("moontile.tl.host.registry").rows
local tl = require "moontile.tl"

local M = {}

local None, to_lua = core.None, foreign.to_lua

-- The result of an operator, its first alone.
local function op(name, ...)
  return (rows[name].fn(...))
end

local function given(v, default)
  if v == nil or v == None then
    return default
  end
  return to_lua(v)
end

-- Norms ------------------------------------------------------------------------

-- v, one number for each channel of x, as a factor of x.
local function channels(x, v)
  local shape = {1, x.shape[2]}
  for d = 3, x.ndim do
    shape[d] = 1
  end
  return op("reshape", v, shape)
end

local function scaled(x, y, weight, bias)
  y = given(weight) and op("mul", y, channels(x, weight)) or y
  return given(bias) and op("add", y, channels(x, bias)) or y
end

-- Half precision is computed in float32 and rounded once.
local function widely(x, f)
  if x.dtype ~= "float16" and x.dtype ~= "bfloat16" then
    return f(x)
  end
  return f(x:astype "float32"):astype(x.dtype)
end

local function group_norm(x, groups, weight, bias, eps)
  local c = x.shape[2]
  if x.ndim < 2 or c % groups ~= 0 then
    exc.fail("RuntimeError", ("Expected number of channels in input to be divisible by num_groups, but got input of shape %s and num_groups=%d")
      :format(core.late.repr(core.late.attr(x, "shape")):gsub("^torch.Size%((.*)%)$", "%1"), groups), "py_value")
  end
  return widely(x, function(v)
    local flat = op("reshape", v, {x.shape[1], groups, -1})
    return scaled(x, op("reshape", op("layer_norm", flat, flat.shape[3], nil, nil, given(eps, 1e-5)), x.shape), weight, bias)
  end)
end

-- Moves what runs along towards v.
local function run(running, v, momentum)
  if given(running) then
    running:copy_(op("add", op("mul", op("detach", running), 1 - momentum), op("mul", op("detach", op("reshape", v, {-1})), momentum)))
  end
end

local function batch_norm(x, mean, var, weight, bias, training, momentum, eps)
  local trains = training == true
  if not trains and not (given(mean) and given(var)) then
    exc.fail("ValueError", "Expected running_mean and running_var to be defined when training=False", "py_value")
  end
  local dims = {0}
  for d = 2, x.ndim - 1 do
    dims[#dims + 1] = d
  end
  return widely(x, function(v)
    local m, s
    if trains then
      local n = x:numel() // x.shape[2]
      m = op("mean", v, dims, true)
      local off = op("sub", v, m)
      s = op("mean", op("mul", off, off), dims, true)
      run(mean, m, given(momentum, 0.1))
      run(var, op("mul", s, n / (n - 1)), given(momentum, 0.1))
    else
      m, s = channels(x, mean), channels(x, var)
    end
    return scaled(x, op("mul", op("sub", v, m), op("rsqrt", op("add", s, given(eps, 1e-5)))), weight, bias)
  end)
end

local functions = {
  ["group_norm(input, num_groups, weight?, bias?, eps?)"] = group_norm,
  ["batch_norm(input, running_mean, running_var, weight?, bias?, training?, momentum?, eps?)"] = batch_norm,
  ["instance_norm(input, running_mean?, running_var?, weight?, bias?, use_input_stats?, momentum?, eps?)"] = function(x, mean, var,
    weight, bias, own, momentum, eps)
    if own == false or given(mean) then
      if own ~= false then
        exc.fail("NotImplementedError", "instance_norm that keeps running statistics is not available here", "py_value")
      end
      return batch_norm(x, mean, var, weight, bias, false, momentum, eps)
    end
    return group_norm(x, x.shape[2], weight, bias, eps)
  end,
  ["prelu(input, weight)"] = function(x, weight)
    local w = weight:numel() == 1 and weight or channels(x, weight)
    return op("where", op("gt", x, 0), x, op("mul", x, w))
  end,
  ["hardshrink(input, lambd?)"] = function(x, l) return op("where", op("gt", op("abs", x), given(l, 0.5)), x, 0) end,
  ["softshrink(input, lambd?)"] = function(x, l)
    l = given(l, 0.5)
    return op("where", op("gt", x, l), op("sub", x, l), op("where", op("lt", x, -l), op("add", x, l), 0))
  end,
}

-- Layers -----------------------------------------------------------------------

-- class -> its function and its arguments in order, with their values when left out
local layers = {
  LeakyReLU = {"leaky_relu", {"negative_slope", 0.01}, {"inplace", false}}, ELU = {"elu", {"alpha", 1.0}, {"inplace", false}},
  SELU = {"selu", {"inplace", false}}, CELU = {"celu", {"alpha", 1.0}, {"inplace", false}}, Mish = {"mish", {"inplace", false}},
  Hardswish = {"hardswish", {"inplace", false}}, Hardsigmoid = {"hardsigmoid", {"inplace", false}},
  Hardtanh = {"hardtanh", {"min_val", -1.0}, {"max_val", 1.0}, {"inplace", false}}, ReLU6 = {"relu6", {"inplace", false}},
  Threshold = {"threshold", {"threshold"}, {"value"}, {"inplace", false}}, Softplus = {"softplus", {"beta", 1.0}, {"threshold", 20.0}},
  Softsign = {"softsign"}, Tanhshrink = {"tanhshrink"}, Hardshrink = {"hardshrink", {"lambd", 0.5}}, Softshrink = {"softshrink", {"lambd", 0.5}},
  LogSoftmax = {"log_softmax", {"dim", None}}, Softmin = {"softmin", {"dim", None}}, GLU = {"glu", {"dim", -1}},
}
local losses = {
  SmoothL1Loss = {"smooth_l1_loss", {"reduction", "mean"}, {"beta", 1.0}}, HuberLoss = {"huber_loss", {"reduction", "mean"}, {"delta", 1.0}},
  BCELoss = {"binary_cross_entropy", {"reduction", "mean"}}, BCEWithLogitsLoss = {"binary_cross_entropy_with_logits", {"reduction", "mean"}},
  NLLLoss = {"nll_loss", {"reduction", "mean"}}, KLDivLoss = {"kl_div", {"reduction", "mean"}},
}

-- The layer `name`, whose forward calls f with the inputs and, by name, what it keeps.
local function layer(nn, name, row, loss)
  local words = {}
  for i = 2, #row do
    words[#words + 1] = row[i][1] .. (row[i][2] ~= nil and "?" or "")
  end
  local spec = table.concat(words, ", ")
  return made.class(name, "torch.nn.modules", {
    ["__init__(self" .. (spec == "" and "" or (loss and ", *, " or ", ") .. (loss and spec:gsub("%?", "") or spec)) .. ")"] = function(m, ...)
      attr.put(m, "training", true)
      for i = 2, #row do
        local v = select(i - 1, ...)
        if v == nil then v = row[i][2] end
        if v == None and row[i].like then v = core.own(m)[row[i].like] end
        attr.put(m, row[i][1], v)
      end
      return None
    end,
    [loss and "forward(self, input, target)" or "forward(self, input)"] = function(m, x, y)
      local names, values = {}, {x, y}
      for i = 2, #row do
        names[i - 1] = row[i][1]
        values[#values + 1] = core.own(m)[row[i][1]]
      end
      return func.callk(core.late.attr(nn.functional, row[1]), names, table.unpack(values))
    end,
    ["extra_repr(self)"] = function(m)
      local shown = {}
      for i = 2, loss and 0 or #row do
        local key, v = row[i][1], core.own(m)[row[i][1]]
        if not row[i].quiet and (key ~= "inplace" or v == true) then
          shown[#shown + 1] = (key == "lambd" and "" or key .. "=") .. core.late.repr(v)
        end
      end
      return table.concat(shown, ", ")
    end,
  }, {nn.Module})
end

-- A layer with a function of its own: its attributes, that function of (layer, input), what its repr shows, the first
-- `bare` of them without their names.
local function own_layer(nn, name, spec, begin, forward, shown)
  return made.class(name, "torch.nn.modules", {
    ["__init__(self, " .. spec .. ")"] = function(m, ...)
      attr.put(m, "training", true)
      begin(m, ...)
      return None
    end,
    ["forward(self, input)"] = forward,
    ["extra_repr(self)"] = function(m)
      local list = {}
      for i, key in ipairs(shown) do
        list[i] = (i > shown.bare and key .. "=" or "") .. core.late.repr(core.own(m)[key])
      end
      return table.concat(list, ", ")
    end,
  }, {nn.Module})
end

-- weight and bias of n channels, where they are wanted.
local function affine(nn, m, n, wanted, dtype)
  dtype = given(dtype, "float32")
  wanted = wanted ~= false
  attr.put(m, "weight", wanted and nn.Parameter.construct(tl.ones({n}, dtype)) or None)
  attr.put(m, "bias", wanted and nn.Parameter.construct(tl.zeros({n}, dtype)) or None)
end

local function keep(m, list)
  for _, e in ipairs(list) do
    attr.put(m, e[1], e[2])
  end
end

local function norms(nn)
  local F = nn.functional
  nn.GroupNorm = own_layer(nn, "GroupNorm", "num_groups, num_channels, eps?, affine?, device?, dtype?", function(m, groups, n, eps, yes, _, dtype)
    if n % groups ~= 0 then
      exc.fail("ValueError", ("num_channels (%d) must be divisible by num_groups (%d)"):format(n, groups), "py_value")
    end
    keep(m, {{"num_groups", groups}, {"num_channels", n}, {"eps", given(eps, 1e-5)}, {"affine", yes ~= false}})
    affine(nn, m, n, yes, dtype)
  end, function(m, x) return F.group_norm(x, m.num_groups, m.weight, m.bias, m.eps) end, {bare = 2, "num_groups", "num_channels", "eps", "affine"})
  for d = 1, 3 do
    local name = ("BatchNorm%dd"):format(d)
    nn[name] = own_layer(nn, name, "num_features, eps?, momentum?, affine?, track_running_stats?, device?, dtype?",
      function(m, n, eps, momentum, yes, track, _, dtype)
        keep(m, {{"num_features", n}, {"eps", given(eps, 1e-5)}, {"momentum", given(momentum, 0.1)}, {"affine", yes ~= false},
          {"track_running_stats", track ~= false}})
        affine(nn, m, n, yes, dtype)
        for key, v in pairs(track ~= false and {running_mean = tl.zeros({n}, "float32"), running_var = tl.ones({n}, "float32")} or {}) do
          func.method(m, "register_buffer", key, v)
        end
      end, function(m, x)
        local own = core.own(m)
        return F.batch_norm(x, own.running_mean, own.running_var, m.weight, m.bias, m.training or own.running_mean == nil, m.momentum, m.eps)
      end, {bare = 1, "num_features", "eps", "momentum", "affine", "track_running_stats"})
  end
end

-- torch.nn.attention: which of its kernels PyTorch takes makes no difference here.
local function attention(module)
  local region = made.manager("_GeneratorContextManager", "contextlib")
  local backends = {}
  for i, name in ipairs {"ERROR", "MATH", "FLASH_ATTENTION", "EFFICIENT_ATTENTION", "CUDNN_ATTENTION", "OVERRIDEABLE"} do
    backends[name] = i - 2
  end
  return module("torch.nn.attention", {SDPBackend = module("SDPBackend", backends),
    sdpa_kernel = native.make("sdpa_kernel", "backends, set_priority?", function() return region() end)})
end

-- Into torch.nn and torch.nn.functional, when those of torch_more.lua are there.
function M.fill(t, module)
  local nn = t.nn
  nn.attention = attention(module)
  for _, list in ipairs {functions, pooling.functions, image.functions} do
    for spec, f in pairs(list) do
      local name, args = spec:match "^([%w_]+)%((.*)%)$"
      nn.functional[name] = native.make("torch.nn.functional." .. name, args, f)
    end
  end
  for _, list in ipairs {layers, pooling.layers} do
    for name, row in pairs(list) do
      nn[name] = layer(nn, name, row)
    end
  end
  for name, row in pairs(losses) do
    nn[name] = layer(nn, name, row, true)
  end
  norms(nn)
  nn.PReLU = own_layer(nn, "PReLU", "num_parameters?, init?, device?, dtype?", function(m, n, init, _, dtype)
    keep(m, {{"num_parameters", given(n, 1)},
      {"weight", nn.Parameter.construct(tl.full({given(n, 1)}, given(init, 0.25), given(dtype, "float32")))}})
  end, function(m, x) return nn.functional.prelu(x, m.weight) end, {bare = 0, "num_parameters"})
  nn.Flatten = own_layer(nn, "Flatten", "start_dim?, end_dim?", function(m, from, to)
    keep(m, {{"start_dim", given(from, 1)}, {"end_dim", given(to, -1)}})
  end, function(m, x) return op("flatten", x, m.start_dim, m.end_dim) end, {bare = 0, "start_dim", "end_dim"})
end

return M
