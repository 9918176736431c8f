-- python/torch_nn.lua: torch.nn: Parameter, Module, and the layers that programs for kernels are compared with.
-- A module's parameters are those of its attributes, and of its modules, in the order in which they were set.

local attr = require "moontile.python.attr"
local autograd = require "moontile.tl.host.autograd"
local core = require "moontile.python.core"
local dict = require "moontile.python.dict"
local exc = require "moontile.python.exc"
local foreign = require "moontile.python.foreign"
local func = require "moontile.python.func"
local iter = require "moontile.python.iter"
local made = require "moontile.python.made"
local native = require "moontile.python.native"
local registry = require "moontile.tl.host.registry"
local rows = registry.rows
local tensor = require "moontile.tensor"
local tl = require "moontile.tl"
local torch_dtype = require "moontile.python.torch_dtype"
local layout = require "moontile.python.torch_layout"
local overlap = require "moontile.python.torch_overlap"
local types = require "moontile.base.types"

local M = {}

local None, getmt, R = core.None, debug.getmetatable, registry.rows

-- Parameter -------------------------------------------------------------------

local parameters = setmetatable({}, {__mode = "k"}) -- tensors that are parameters

local Parameter = made.class("Parameter", "torch.nn.parameter", {})
require("moontile.python.torch_text").is_parameter = function(t) return parameters[t] == true end
Parameter.native_check = function(v) return parameters[v] == true end

local function parameter(t, requires)
  local p = autograd.detach(t)
  parameters[p] = true
  return requires ~= false and autograd.require(p) or p
end
Parameter.construct = native.make("Parameter", "data, requires_grad?", parameter)
Parameter.native_new = Parameter.construct

-- Module ----------------------------------------------------------------------

local Module

local function is_module(v)
  local mt = getmt(v)
  return mt ~= nil and mt.__user and core.subclass(mt.__pyclass, Module)
end

-- visit(name, value, owner) for each attribute of m and of its modules, m's own first.
local function walk(m, prefix, visit, met)
  met = met or {}
  if met[m] then return end
  met[m] = true
  local inner = {}
  for name, v in dict.each(attr.own_dict(m)) do
    if is_module(v) then
      inner[#inner + 1] = {prefix .. name, v}
    else
      visit(prefix .. name, v, m, name)
    end
  end
  for _, e in ipairs(inner) do walk(e[2], e[1] .. ".", visit, met) end
end

local BUFFERS = "_buffers" -- names of tensors that are state, but no parameters

local function is_buffer(m, name)
  local own = core.own(m)[BUFFERS]
  return own ~= nil and dict.has(own, name)
end

-- Pairs (name, tensor) of parameters, or buffers, or both.
local function tensors(m, want)
  local list, met = {}, {}
  walk(m, "", function(full, v, owner, name)
    local kind = parameters[v] and "parameter" or tensor.istensor(v) and is_buffer(owner, name) and "buffer"
    if kind and (want == nil or want == kind) and not met[v] then
      met[v] = true
      list[#list + 1] = {full, v, owner, name}
    end
  end)
  return list
end

-- The same without buffers that are not kept.
local function kept_tensors(m)
  local list = {}
  for _, e in ipairs(tensors(m)) do
    local kept = parameters[e[2]] or dict.get(core.own(e[3])[BUFFERS], e[4])
    list[#list + 1] = kept and e or nil
  end
  return list
end

local function values_of(list)
  local l = {}
  for i, e in ipairs(list) do l[i] = e[2] end
  return iter.object(core.list(l))
end

local function pairs_of(list)
  local l = {}
  for i, e in ipairs(list) do l[i] = core.tuple {e[1], e[2]} end
  return iter.object(core.list(l))
end

local function modules(m)
  local list, met = {}, {}
  local function visit(name, v)
    if met[v] then return end
    met[v] = true
    list[#list + 1] = {name, v}
    for key, inner in dict.each(attr.own_dict(v)) do
      if is_module(inner) then visit(name == "" and key or name .. "." .. key, inner) end
    end
  end
  visit("", m)
  return list
end

local function children(m)
  local list = {}
  for name, v in dict.each(attr.own_dict(m)) do
    if is_module(v) then list[#list + 1] = {name, v} end
  end
  return list
end

-- Parameters and buffers of floats as dtype.
local function converted(m, dtype)
  for _, e in ipairs(tensors(m)) do
    local t, owner, name = e[2], e[3], e[4]
    if types.isfloat(t.dtype) and t.dtype ~= dtype then
      local _ <close> = autograd.set(false)
      local new = t:astype(dtype)
      attr.put(owner, name, parameters[t] and parameter(new, autograd.needs(t)) or new)
    end
  end
  return m
end

local function to(kw, m, ...)
  local list = {...}
  list[#list + 1] = kw and dict.get(kw, "dtype") or nil
  for _, v in ipairs(list) do
    v = foreign.to_lua(v)
    if type(v) == "string" and types.isdtype(v) then
      converted(m, v)
    end
  end
  return m
end

local function set_training(m, on)
  for _, e in ipairs(modules(m)) do attr.put(e[2], "training", on) end
  return m
end

-- What load_state_dict gives: the names that one side lacks.
local Keys = made.class("_IncompatibleKeys", "torch.nn.modules.module", {["__repr__(self)"] = function(k)
  if k.missing_keys.n + k.unexpected_keys.n == 0 then
    return "<All keys matched successfully>"
  end
  return ("_IncompatibleKeys(missing_keys=%s, unexpected_keys=%s)"):format(core.late.repr(k.missing_keys), core.late.repr(k.unexpected_keys))
end})

local function quoted(names)
  local list = {}
  for i, name in ipairs(names) do
    list[i] = '"' .. name .. '"'
  end
  return table.concat(list, ", ") .. ". "
end

local function load_state(m, state, strict)
  local missing, unexpected, known, wrong = {}, {}, {}, {}
  for _, e in ipairs(kept_tensors(m)) do
    known[e[1]] = e[2]
    missing[#missing + 1] = dict.get(state, e[1]) == nil and e[1] or nil
  end
  for name in dict.each(state) do
    unexpected[#unexpected + 1] = known[name] == nil and name or nil
  end
  if strict ~= false then
    wrong[#wrong + 1] = #unexpected > 0 and "Unexpected key(s) in state_dict: " .. quoted(unexpected) or nil
    wrong[#wrong + 1] = #missing > 0 and "Missing key(s) in state_dict: " .. quoted(missing) or nil
  end
  for _, e in ipairs(kept_tensors(m)) do
    local v, t = dict.get(state, e[1]), e[2]
    if v ~= nil and table.concat(v.shape, ",") ~= table.concat(t.shape, ",") then
      wrong[#wrong + 1] = ("size mismatch for %s: copying a param with shape torch.Size([%s]) from checkpoint, the shape in current model is torch.Size([%s]).")
        :format(e[1], table.concat(v.shape, ", "), table.concat(t.shape, ", "))
    elseif v ~= nil then
      local _ <close> = autograd.set(false)
      t:copy_(v)
    end
  end
  if #wrong > 0 then
    exc.fail("RuntimeError", ("Error(s) in loading state_dict for %s:\n\t%s"):format(core.typename(m), table.concat(wrong, "\n\t")), "py_value",
      core.typename(m))
  end
  return made.object(Keys, {missing_keys = core.list(missing), unexpected_keys = core.list(unexpected)})
end

-- The children's lines; of a list those that look alike are one: (0-2): 3 x ReLU()
local function child_lines(m, alike)
  local lines, from = {}, nil
  local list = children(m)
  for i, e in ipairs(list) do
    local text, after = core.late.repr(e[2]), list[i + 1]
    from = from or i
    if not (alike and after and core.late.repr(after[2]) == text) then
      local name = from < i and ("(%s-%s): %d x "):format(list[from][1], e[1], i - from + 1) or "(" .. e[1] .. "): "
      lines[#lines + 1] = name .. text:gsub("\n", "\n  ")
      from = nil
    end
  end
  return lines
end

local function described(m, alike)
  local extra = core.special(m, "extra_repr")
  extra = extra and func.call(extra, m) or ""
  local lines = child_lines(m, alike)
  if #lines == 0 and not extra:find "\n" then
    return ("%s(%s)"):format(core.typename(m), extra)
  end
  if extra ~= "" then
    table.insert(lines, 1, (extra:gsub("\n", "\n  ")))
  end
  return ("%s(\n  %s\n)"):format(core.typename(m), table.concat(lines, "\n  "))
end

-- Parameters and buffers of the module alone are asked for: its children's are among them here.
local function all_of(recurse)
  if recurse == false then
    exc.fail("NotImplementedError", "recurse=False is not there: named_parameters() has the children's as well", nil, "recurse")
  end
end

Module = made.class("Module", "torch.nn.modules.module", {
  ["__init__(self)"] = function(m)
    attr.put(m, "training", true)
    return None
  end,
  ["forward(**)"] = function(_, m)
    exc.fail("NotImplementedError", ("Module [%s] is missing the required \"forward\" function"):format(core.typename(m)), nil,
      "forward")
  end,
  ["__call__(**)"] = function(kw, m, ...)
    return func.methods(m, "forward", core.pack(...), kw)
  end,
  ["parameters(self, recurse?)"] = function(m, recurse) all_of(recurse) return values_of(tensors(m, "parameter")) end,
  ["named_parameters(self, prefix?, recurse?)"] = function(m, _, recurse) all_of(recurse) return pairs_of(tensors(m, "parameter")) end,
  ["buffers(self, recurse?)"] = function(m, recurse) all_of(recurse) return values_of(tensors(m, "buffer")) end,
  ["named_buffers(self)"] = function(m) return pairs_of(tensors(m, "buffer")) end,
  ["modules(self)"] = function(m) return values_of(modules(m)) end,
  ["named_modules(self)"] = function(m) return pairs_of(modules(m)) end,
  ["children(self)"] = function(m) return values_of(children(m)) end,
  ["named_children(self)"] = function(m) return pairs_of(children(m)) end,
  ["register_buffer(self, name, tensor, persistent?)"] = function(m, name, t, persistent)
    local own = core.own(m)
    own[BUFFERS] = own[BUFFERS] or dict.new()
    dict.put(own[BUFFERS], name, persistent ~= false)
    attr.put(m, name, t)
    return None
  end,
  ["register_parameter(self, name, param)"] = function(m, name, p)
    attr.put(m, name, p)
    return None
  end,
  ["add_module(self, name, module)"] = function(m, name, v)
    attr.put(m, name, v)
    return None
  end,
  ["state_dict(self)"] = function(m)
    local d = dict.new()
    for _, e in ipairs(kept_tensors(m)) do dict.put(d, e[1], autograd.detach(e[2])) end
    return d
  end,
  ["load_state_dict(self, state_dict, strict?)"] = load_state,
  ["zero_grad(self, set_to_none?)"] = function(m)
    for _, e in ipairs(tensors(m, "parameter")) do autograd.set_grad(e[2], nil) end
    return None
  end,
  ["requires_grad_(self, requires_grad?)"] = function(m, on)
    for _, e in ipairs(tensors(m, "parameter")) do autograd.require(e[2], on) end
    return m
  end,
  ["train(self, mode?)"] = function(m, on) return set_training(m, on ~= false) end,
  ["eval(self)"] = function(m) return set_training(m, false) end,
  ["to(**)"] = to, ["cuda(**)"] = function(_, m) return m end, ["cpu(**)"] = function(_, m) return m end,
  ["half(self)"] = function(m) return converted(m, "float16") end,
  ["float(self)"] = function(m) return converted(m, "float32") end,
  ["double(self)"] = function(m) return converted(m, "float64") end,
  ["bfloat16(self)"] = function(m) return converted(m, "bfloat16") end,
  ["apply(self, fn)"] = function(m, f)
    for _, e in ipairs(modules(m)) do func.call(f, e[2]) end
    return m
  end,
  ["extra_repr(self)"] = function() return "" end,
  ["__repr__(self)"] = function(m) return described(m) end,
})
M.Module = Module

-- Layers ----------------------------------------------------------------------

local function layer(name, methods)
  return made.class(name, "torch.nn.modules", methods, {Module})
end

-- A layer's attributes; its first words.
local function begin(m, values)
  attr.put(m, "training", true)
  for _, e in ipairs(values) do attr.put(m, e[1], e[2]) end
  return None
end

local function given(v, default)
  if v == nil or v == None then return default end
  return torch_dtype.text(v)
end

-- Random numbers between -bound and bound.
local function uniform(shape, bound, dtype)
  return parameter(((tl.rand(shape, "float32") * 2 - 1) * bound):astype(dtype))
end

local layers = {}

layers.Linear = layer("Linear", {
  ["__init__(self, in_features, out_features, bias?, device?, dtype?)"] = function(m, n, k, bias, _, dtype)
    local bound = 1 / math.sqrt(n)
    dtype = given(dtype, "float32")
    return begin(m, {{"in_features", n}, {"out_features", k}, {"weight", uniform({k, n}, bound, dtype)},
      {"bias", given(bias, true) and uniform({k}, bound, dtype) or None}})
  end,
  ["forward(self, input)"] = function(m, x)
    return (R.linear.fn(x, m.weight, m.bias ~= None and m.bias or nil))
  end,
  ["extra_repr(self)"] = function(m)
    return ("in_features=%d, out_features=%d, bias=%s"):format(m.in_features, m.out_features, m.bias ~= None and "True" or "False")
  end,
})
layers.Embedding = layer("Embedding", {
  ["__init__(self, num_embeddings, embedding_dim, padding_idx?, device?, dtype?)"] = function(m, n, k, at, _, dtype)
    return begin(m, {{"num_embeddings", n}, {"embedding_dim", k}, {"padding_idx", given(at, None)}, {"weight", parameter(tl.randn({n, k}, given(dtype, "float32")))}})
  end,
  ["forward(self, input)"] = function(m, x)
    return (R.embedding.fn(x, m.weight, m.padding_idx ~= None and m.padding_idx or nil))
  end,
  ["extra_repr(self)"] = function(m)
    return ("%d, %d"):format(m.num_embeddings, m.embedding_dim) .. (m.padding_idx ~= None and (", padding_idx=%d"):format(m.padding_idx) or "")
  end,
})

local function norm_repr(m)
  local repr = core.late.repr
  return ("%s, eps=%s, elementwise_affine=%s"):format(repr(m.normalized_shape), repr(m.eps), m.weight ~= None and "True" or "False")
end

local function shape_of(v)
  local s = foreign.to_lua(v)
  return type(s) == "table" and s or {s}
end

layers.LayerNorm = layer("LayerNorm", {
  ["__init__(self, normalized_shape, eps?, elementwise_affine?, bias?, device?, dtype?)"] = function(m, shape, eps, affine,
      bias, _, dtype)
    local s = shape_of(shape)
    local function line(v)
      return given(affine, true) and parameter(tl.full(s, v, given(dtype, "float32"))) or None
    end
    return begin(m, {{"normalized_shape", core.tuple(table.move(s, 1, #s, 1, {}))}, {"eps", given(eps, 1e-5)}, {"weight", line(1.0)},
      {"bias", given(bias, true) and line(0.0) or None}})
  end,
  ["forward(self, input)"] = function(m, x)
    return (R.layer_norm.fn(x, foreign.to_lua(m.normalized_shape), m.weight ~= None and m.weight or nil,
      m.bias ~= None and m.bias or nil, m.eps))
  end,
  ["extra_repr(self)"] = norm_repr,
})
layers.RMSNorm = layer("RMSNorm", {
  ["__init__(self, normalized_shape, eps?, elementwise_affine?, device?, dtype?)"] = function(m, shape, eps, affine, _, dtype)
    local s = shape_of(shape)
    return begin(m, {{"normalized_shape", core.tuple(table.move(s, 1, #s, 1, {}))}, {"eps", given(eps, None)},
      {"weight", given(affine, true) and parameter(tl.ones(s, given(dtype, "float32"))) or None}})
  end,
  ["forward(self, input)"] = function(m, x)
    return (R.rms_norm.fn(x, foreign.to_lua(m.normalized_shape), m.weight ~= None and m.weight or nil,
      m.eps ~= None and m.eps or nil))
  end,
  ["extra_repr(self)"] = norm_repr,
})
layers.Dropout = layer("Dropout", {
  ["__init__(self, p?, inplace?)"] = function(m, p, inplace) return begin(m, {{"p", given(p, 0.5)}, {"inplace", inplace == true}}) end,
  ["forward(self, input)"] = function(m, x)
    local r = layout.of("dropout", (R.dropout.fn(x, m.p, m.training)), {x})
    return m.inplace and overlap.keep("dropout", x, r) or r
  end,
  ["extra_repr(self)"] = function(m) return ("p=%s, inplace=%s"):format(core.late.repr(m.p), m.inplace and "True" or "False") end,
})
layers.Softmax = layer("Softmax", {
  ["__init__(self, dim?)"] = function(m, dim) return begin(m, {{"dim", given(dim, None)}}) end,
  ["forward(self, input)"] = function(m, x)
    local dim = m.dim
    if dim == None then -- as PyTorch chooses, with a warning
      dim = (x.ndim == 0 or x.ndim == 1 or x.ndim == 3) and 0 or 1
    end
    return (R.softmax.fn(x, dim))
  end,
  ["extra_repr(self)"] = function(m) return "dim=" .. core.late.repr(m.dim) end,
})
layers.GELU = layer("GELU", {
  ["__init__(self, approximate?)"] = function(m, a) return begin(m, {{"approximate", given(a, "none")}}) end,
  ["forward(self, input)"] = function(m, x) return (R.gelu.fn(x, m.approximate)) end,
  ["extra_repr(self)"] = function(m) return "approximate=" .. core.late.repr(m.approximate) end,
})
for name, row in pairs {ReLU = "relu", SiLU = "silu", Sigmoid = "sigmoid", Tanh = "tanh", LogSigmoid = "logsigmoid"} do
  layers[name] = layer(name, {
    ["__init__(self, inplace?)"] = function(m, inplace) return begin(m, {{"inplace", inplace == true}}) end,
    ["forward(self, input)"] = function(m, x)
      local r = layout.of(row, (R[row].fn(x)), {x})
      return m.inplace and overlap.keep(row, x, r) or r
    end,
    ["extra_repr(self)"] = function(m) return m.inplace and "inplace=True" or "" end,
  })
end
layers.Identity = layer("Identity", {
  ["__init__(**)"] = function(_, m) return begin(m, {}) end,
  ["forward(self, input)"] = function(_, x) return x end,
})
for name, row in pairs {MSELoss = "mse_loss", L1Loss = "l1_loss", CrossEntropyLoss = "cross_entropy"} do
  layers[name] = layer(name, {
    ["__init__(self, *, reduction)"] = function(m, how) return begin(m, {{"reduction", given(how, "mean")}}) end,
    ["forward(self, input, target)"] = function(m, x, y)
      if name == "CrossEntropyLoss" then return (R[row].fn(x, y, nil, nil, m.reduction)) end
      return (R[row].fn(x, y, m.reduction))
    end,
  })
end

-- Lists of modules --------------------------------------------------------------

local function fill(m, list)
  local n = #children(m)
  for v in iter.iter(list) do
    attr.put(m, tostring(n), v)
    n = n + 1
  end
  return None
end

local function member(m, i)
  local list = children(m)
  local e = math.type(i) == "integer" and list[i < 0 and #list + i + 1 or i + 1]
  if not e then
    exc.fail("IndexError", ("index %s is out of range"):format(core.late.repr(i)), nil, "[")
  end
  return e[2]
end

local listed = {
  ["__len__(self)"] = function(m) return #children(m) end,
  ["__iter__(self)"] = function(m) return values_of(children(m)) end,
  ["__getitem__(self, idx)"] = member,
  ["append(self, module)"] = function(m, v)
    fill(m, core.list {v})
    return m
  end,
}

layers.ModuleList = made.methods(layer("ModuleList", {
  ["__init__(self, modules?)"] = function(m, list)
    begin(m, {})
    return list and list ~= None and fill(m, list) or None
  end,
  ["__repr__(self)"] = function(m) return described(m, true) end,
}), listed)
layers.ParameterList = made.methods(layer("ParameterList", {
  ["__init__(self, values?)"] = function(m, list)
    begin(m, {})
    local n = 0
    for v in iter.iter(list or core.list {}) do
      attr.put(m, tostring(n), parameters[v] and v or parameter(v))
      n = n + 1
    end
    return None
  end,
}), {
  ["__len__(self)"] = function(m) return #tensors(m, "parameter") end,
  ["__iter__(self)"] = function(m) return values_of(tensors(m, "parameter")) end,
  ["__getitem__(self, idx)"] = function(m, i) return core.own(m)[tostring(i)] end,
})
layers.Sequential = made.methods(layer("Sequential", {
  ["__init__(**)"] = function(_, m, ...)
    begin(m, {})
    return fill(m, core.list {...})
  end,
  ["forward(self, input)"] = function(m, x)
    for _, e in ipairs(children(m)) do x = func.call(e[2], x) end
    return x
  end,
}), listed)

-- The norm of all gradients, which are scaled down where it is beyond max_norm.
local function clip_norm(parameters_, max_norm, kind)
  local list, norms = tensor.istensor(parameters_) and core.list {parameters_} or iter.list(parameters_), {}
  kind = kind or 2.0
  local _ <close> = autograd.set(false)
  local grads = {}
  for i = 1, list.n do
    grads[#grads + 1] = list[i].grad
  end
  if #grads == 0 then
    return tensor.from_table(0.0, "float32")
  end
  for i, g in ipairs(grads) do
    norms[i] = (rows.norm.fn(g, kind))
  end
  local total = (rows.norm.fn((rows.stack.fn(norms, 0)), kind))
  local factor = (rows.clamp.fn(rows.div.fn(max_norm, (rows.add.fn(total, 1e-6))), nil, 1.0))
  for _, g in ipairs(grads) do
    rows.mul_.fn(g, factor)
  end
  return total
end

local function clip_value(parameters_, most)
  local list = tensor.istensor(parameters_) and core.list {parameters_} or iter.list(parameters_)
  local _ <close> = autograd.set(false)
  for i = 1, list.n do
    if list[i].grad then
      rows.clamp_.fn(list[i].grad, -most, most)
    end
  end
  return None
end

-- torch.nn
function M.make(module)
  local nn = {Parameter = Parameter, Module = Module, functional = module("torch.nn.functional", {})}
  for name, cls in pairs(layers) do nn[name] = cls end
  nn.init = module("torch.nn.init", {
    zeros_ = native.make("zeros_", "tensor", function(t) return t:fill_(0) end),
    ones_ = native.make("ones_", "tensor", function(t) return t:fill_(1) end),
    normal_ = native.make("normal_", "tensor, mean?, std?", function(t, mean, std)
      local _ <close> = autograd.set(false)
      return t:copy_(tl.randn(t.shape, "float32") * (std or 1) + (mean or 0))
    end),
    uniform_ = native.make("uniform_", "tensor, a?, b?", function(t, a, b)
      local _ <close> = autograd.set(false)
      return t:copy_(tl.rand(t.shape, "float32") * ((b or 1) - (a or 0)) + (a or 0))
    end),
  })
  nn.utils = module("torch.nn.utils", {
    clip_grad_norm_ = native.make("clip_grad_norm_", "parameters, max_norm, norm_type?", clip_norm),
    clip_grad_value_ = native.make("clip_grad_value_", "parameters, clip_value", clip_value),
  })
  return module("torch.nn", nn)
end

return M
