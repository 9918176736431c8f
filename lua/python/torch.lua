-- python/torch.lua: `import torch`: PyTorch's names for moontile's tensors, as far as tl.host and tl have them.
-- A name that is not there says so; devices are accepted, since a tensor goes where a kernel runs.

local attr = require "moontile.python.attr"
local autograd = require "moontile.tl.host.autograd"
local core = require "moontile.python.core"
local device_of = require "moontile.tl.device"
local dict = require "moontile.python.dict"
local exc = require "moontile.python.exc"
local foreign = require "moontile.python.foreign"
local func = require "moontile.python.func"
local subscripts = require "moontile.python.index"
local made = require "moontile.python.made"
local native = require "moontile.python.native"
local promote = require "moontile.tl.host.promote"
local numpy_scalar = require "moontile.python.numpy_scalar"
local registry = require "moontile.tl.host.registry"
require "moontile.tl.host"
local tl = require "moontile.tl"
local tensor = require "moontile.tensor"
local torch_autograd = require "moontile.python.torch_autograd"
local torch_dtype = require "moontile.python.torch_dtype"
local torch_cuda = require "moontile.python.torch_cuda"
local torch_index = require "moontile.python.torch_index"
local torch_layout = require "moontile.python.torch_layout"
local torch_more = require "moontile.python.torch_more"
local torch_nn = require "moontile.python.torch_nn"
local torch_overlap = require "moontile.python.torch_overlap"
local torch_size = require "moontile.python.torch_size"
local torch_strict = require "moontile.python.torch_strict"

local None, to_lua = core.None, foreign.to_lua
local packed, rows = foreign.packed, registry.rows

local M = {}

-- Ways to lay out a copy: x.clone(memory_format=torch.contiguous_format)
local function format(name)
  return setmetatable({}, {__name = "torch.memory_format", __tostring = function() return "torch." .. name end})
end
local contiguous_format, preserve_format = format "contiguous_format", format "preserve_format"

-- Arguments --------------------------------------------------------------------

-- What says where a tensor lives, or how it is kept, means nothing here.
local about_place = {device = true, pin_memory = true, layout = true, non_blocking = true, memory_format = true}

-- A source of random numbers.  There is one, which its seeds start again.
local Generator = made.class("Generator", "torch", {
  ["__init__(self, device?)"] = function() return None end,
  ["manual_seed(self, seed)"] = function(g, n)
    g.seed = n
    return g
  end,
  ["initial_seed(self)"] = function(g) return g.seed or 0 end,
  ["seed(self)"] = function(g)
    g.seed = os.time()
    return g.seed
  end,
})

-- The numbers of a call that names a generator: its seed counts once.
local function follow_generator(g)
  if g.seed and g.seed ~= g.begun then
    tl.manual_seed(g.seed)
    g.begun = g.seed
  end
end

-- Python's own types as dtypes.
local of_python = {[core.types.bool] = "bool", [core.types.int] = "int64", [core.types.float] = "float64"}

local function argument(v)
  return of_python[v] or to_lua(v)
end

-- Devices that a text may name: all mean where the kernels run.
local places = {cpu = true, cuda = true, hip = true, mps = true, musa = true, xpu = true, meta = true}

local function check_place(v)
  if type(v) == "string" and not places[v:match "^%a+" or ""] then
    exc.fail("RuntimeError", "Expected one of cpu, cuda, hip, mps, musa, xpu, meta device type at start of device string: " .. v,
      "py_value", v)
  end
end

-- dtype= of a call, which is no text, not even T.float16.
local function refuse_text(v)
  if type(v) == "string" then
    exc.fail("TypeError", "argument 'dtype' must be torch.dtype, not str", "py_value", v)
  end
end

-- Names and values of a call for Lua, and whether the result is to require gradients.
local function named(kw)
  local names = {}
  for k, v in dict.each(kw or dict.new()) do
    if k == "generator" and v ~= None then
      follow_generator(v)
    elseif k == "device" then
      check_place(v)
    elseif not about_place[k] and k ~= "requires_grad" then
      if k == "dtype" then
        refuse_text(v)
      end
      names[k] = argument(v)
    end
  end
  return names, kw and dict.get(kw, "requires_grad") == true
end

-- Operators of two results, as PyTorch's: tuples whose parts have names.
local pairs_of = {}
for name in ("max min sort topk median kthvalue cummax cummin aminmax"):gmatch "%S+" do
  pairs_of[name] = true
end
local kinds = {}

-- values and indices as such a tuple; a single result as it is.
local function pair(name, values, indices)
  if indices == nil then
    return foreign.from_lua(values)
  end
  local cls = kinds[name]
  if not cls then
    local a, b = "values", "indices"
    if name == "aminmax" then
      a, b = "min", "max"
    end
    cls = require("moontile.python.lib.collections").named(name, {a, b}, {})
    cls.module = "torch.return_types"
    made.methods(cls, {["__repr__(self)"] = function(t)
      return ("torch.return_types.%s(\n%s=%s,\n%s=%s)"):format(name, a, core.late.repr(t[1]), b, core.late.repr(t[2]))
    end})
    kinds[name] = cls
  end
  return setmetatable({n = 2, values, indices}, cls.meta)
end

-- PyTorch on CUDA, where all tensors say that they are, multiplies by 1 / y to divide by a number y.
local divides = {div = true, div_ = true, divide = true, divide_ = true, true_divide = true, true_divide_ = true}

-- registry.apply, of a torch's tensors.
local function apply(name, args, n, names)
  if not divides[name] or foreign.arrays[args[1]] then
    return registry.apply(name, args, n, names)
  end
  local before = promote.reciprocal
  promote.reciprocal = true
  local _ <close> = setmetatable({}, {__close = function() promote.reciprocal = before end})
  local r = registry.apply(name, args, n, names) -- not a tail call
  return r
end

-- a / b of Python's of a tensor and a number
function core.late.torch_div(a, b)
  if not tensor.istensor(a) and not foreign.arrays[b] then -- so PyTorch's __rtruediv__ has it
    return (rows.mul.fn(rows.reciprocal.fn(b), a))
  end
  return apply("div", {a, b}, 2)
end

-- What a call with out= gives: out, which holds the result now.
local function into(out, r)
  if not tensor.istensor(out) or not tensor.istensor(r) then
    exc.fail("TypeError", "argument 'out' must be Tensor, not " .. core.typename(out))
  elseif table.concat(out.shape, ",") ~= table.concat(r.shape, ",") then
    exc.fail("RuntimeError", ("out= has shape (%s) here, the result (%s): tensors are not resized"):format(table.concat(out.shape, ", "),
      table.concat(r.shape, ", ")))
  end
  torch_strict.check_cast(r.dtype, out.dtype)
  return (rows.copy_.fn(out, r))
end

-- These make tensors of data, which NumPy's numbers know the dtype of: torch.tensor(np.float64(2)).
local of_data = {tensor = true, as_tensor = true}

local function data_dtype(v)
  local kind = core.kind(v)
  if kind == "list" or kind == "tuple" then
    return numpy_scalar.of_list(v)
  end
  return numpy_scalar.dtype(v)
end

-- The operator `name` of tl.host as a function.
local function operator(name)
  return native.make("torch." .. name, "**", function(kw, ...)
    local args, n = {...}, select("#", ...)
    local own = of_data[name] and data_dtype(args[1])
    for i = 1, n do
      args[i] = argument(args[i])
    end
    local names, requires = named(kw)
    names.dtype = names.dtype or own
    local out, inplace = names.out, rows[name].index.inplace == nil and names.inplace
    names.out = nil
    if inplace ~= nil then
      names.inplace = nil
    end
    torch_strict.check(name, args, names)
    if tensor.istensor(out) then
      torch_overlap.out(rows[name], args, names, out)
    end
    if pairs_of[name] then
      local values, indices = registry.apply(name, args, n, names)
      return pair(name, torch_layout.of(name, values, args), torch_layout.of(name, indices, args))
    end
    local r = packed(apply(name, args, n, names))
    if kw == nil or dict.get(kw, "memory_format") ~= contiguous_format then
      r = torch_layout.of(name, r, args)
    end
    if debug.getmetatable(r) == core.List and name ~= "tolist" then
      return core.tuple(r, r.n) -- several tensors
    elseif out ~= nil then
      return into(out, r)
    elseif inplace then
      return torch_overlap.keep(name, args[1], r)
    end
    return requires and autograd.require(r) or r
  end)
end

-- Tensors ------------------------------------------------------------------------

-- A bound of a slice, which may be a tensor of one integer.
local function place(v)
  return tensor.istensor(v) and subscripts.integer(v) or to_lua(v)
end

-- An index of Python's as tensors take it.
local function key(k)
  local mt = debug.getmetatable(k)
  if k == None then
    return tl.newaxis
  elseif k == core.Ellipsis then
    return tl.ellipsis
  elseif mt == core.Slice then
    return tl.slice(place(k.lo), place(k.hi), place(k.step))
  end
  return to_lua(k)
end

local function keys(...)
  local list = {...}
  if select("#", ...) == 1 and core.istuple(list[1]) then
    list = {table.unpack(list[1], 1, list[1].n)}
  end
  for i = 1, #list do
    list[i] = key(list[i])
  end
  return list
end

-- t[k, ..]: always a tensor, as torch gives it
function foreign.tensor_at(t, ...)
  local r = torch_index.checked(autograd.at, t, keys(...))
  return foreign.arrays[t] and foreign.array(r) or r
end

function foreign.tensor_put(t, v, ...)
  local at, value = keys(...), to_lua(v)
  if not foreign.arrays[t] then
    torch_strict.put(t, at, value)
  end
  torch_index.checked(autograd.put, t, at, value)
end

local operators = {} -- of tl.host, as methods

-- t.to("cuda"), t.to(dtype), t.cuda(): a tensor of that dtype
local function moved(t, kw, ...)
  local dtype = kw and dict.get(kw, "dtype")
  refuse_text(dtype)
  dtype = of_python[dtype] or torch_dtype.text(dtype)
  for i = 1, select("#", ...) do
    local v = select(i, ...)
    if tensor.istensor(v) then
      dtype = v.dtype
    elseif type(v) == "string" then
      check_place(v)
    else
      v = of_python[v] or torch_dtype.text(v)
      dtype = type(v) == "string" and v or dtype
    end
  end
  local copy = kw and dict.get(kw, "copy") == true
  local contiguous = kw and dict.get(kw, "memory_format") == contiguous_format
  local r = dtype and dtype ~= None and t:to(dtype) or t
  if copy and rawequal(r, t) then
    r = t:copy()
  end
  return contiguous and r:contiguous() or torch_layout.like(r, t)
end

-- t.half() and the like
local function converts(name, dtype)
  return native.make("Tensor." .. name, "self, memory_format?", function(t) return torch_layout.like(t:astype(dtype), t) end)
end

-- Nested lists of the elements, each as item() has it.
local function unseen_list(t)
  if t.ndim == 0 then
    return t
  end
  local list, n = {}, t.shape[1]
  for i = 1, n do
    list[i] = unseen_list(rows.select.fn(t, 0, i - 1))
  end
  return core.list(list, n)
end

local moves = {
  to = native.make("Tensor.to", "**", function(kw, t, ...) return moved(t, kw, ...) end),
  cuda = native.make("Tensor.cuda", "**", function(_, t) return t end),
  cpu = native.make("Tensor.cpu", "**", function(_, t) return t end),
  -- the number; what nobody has computed stays a tensor, with which one can go on
  item = native.make("Tensor.item", "self", function(t)
    return foreign.unseen(t) and t:numel() == 1 and t:reshape {} or t:item()
  end),
  tolist = native.make("Tensor.tolist", "self", function(t)
    return foreign.unseen(t) and unseen_list(t) or foreign.from_lua(t:totable())
  end),
  numpy = native.make("Tensor.numpy", "**", function(_, t) return foreign.array(rows.reshape.fn(rows.numpy.fn(t), t.shape)) end),
  size = native.make("Tensor.size", "self, dim?", function(t, d)
    if d ~= nil and d ~= None then
      return foreign.from_lua(t:size(to_lua(d)))
    end
    return torch_size.of(t.shape, t.ndim)
  end),
  fill_ = native.make("Tensor.fill_", "self, value", function(t, v)
    return t:fill_(tensor.istensor(v) and v.ndim == 0 and v:item() or to_lua(v))
  end),
  contiguous = native.make("Tensor.contiguous", "**", function(_, t) return t:contiguous() end),
}

-- NumPy's running sums and products are of all elements where no axis is named.
for _, name in ipairs {"cumsum", "cumprod"} do
  local along = operator(name)
  moves[name] = native.make("Tensor." .. name, "**", function(kw, t, ...)
    if foreign.arrays[t] and not kw and select("#", ...) == 0 then
      return foreign.array((rows[name].fn(t:reshape {t:numel()}, 0)))
    end
    return func.calls(along, core.pack(t, ...), kw)
  end)
end

-- PyTorch's names of the types of tensors, which it had before dtypes.
local typed = {
  float64 = "Double", float32 = "Float", float16 = "Half", bfloat16 = "BFloat16", int64 = "Long", int32 = "Int", int16 = "Short",
  int8 = "Char", uint8 = "Byte", bool = "Bool", uint16 = "UInt16", uint32 = "UInt32", uint64 = "UInt64",
  float8_e4m3fn = "Float8_e4m3fn", float8_e5m2 = "Float8_e5m2",
}
local untyped = {}
for dtype, name in pairs(typed) do
  untyped[name] = dtype
end

moves.type = native.make("Tensor.type", "self, dtype?, non_blocking?", function(t, dtype)
  if dtype == nil or dtype == None then
    return ("torch.cuda.%sTensor"):format(typed[t.dtype] or t.dtype)
  end
  local name = type(dtype) == "string" and dtype:match "^torch%.c?u?d?a?%.?(%w+)Tensor$"
  if name and not untyped[name] then
    exc.fail("ValueError", ("invalid type: '%s'"):format(dtype), "py_value", dtype)
  end
  return torch_layout.like(t:to(untyped[name] or argument(dtype)), t)
end)

for name, dtype in pairs {half = "float16", float = "float32", double = "float64", bfloat16 = "bfloat16", long = "int64", int = "int32",
  short = "int16", char = "int8", byte = "uint8", bool = "bool"} do
  moves[name] = converts(name, dtype)
end

-- Tensor.where(condition, other): self stands behind the condition.
moves.where = native.make("Tensor.where", "self, condition, other", function(t, condition, other)
  local c, y = to_lua(condition), argument(other)
  return torch_layout.elementwise((rows.where.fn(c, t, y)), {c, t, y})
end)

-- Functions of tl.host that are methods of PyTorch's tensors and not of moontile's.
local methods_too = {clone = true, copy_ = true, equal = true, allclose = true}

-- t.name(..): the operator, which always gives a tensor; else what tl's tensors have
function foreign.tensor_method(name)
  local row = registry.rows[name]
  if torch_more.methods[name] then
    return torch_more.methods[name]
  elseif moves[name] or not row or not row.method and not row.of and not methods_too[name] then
    return moves[name]
  end
  operators[name] = operators[name] or operator(name)
  return operators[name]
end

local function is_operand(v)
  return tensor.istensor(v) or math.type(v) or type(v) == "boolean"
end

-- a op b of tensors, element by element: a bool tensor; nil: neither is one
function core.late.tensor_order(op, a, b)
  if (tensor.istensor(a) or tensor.istensor(b)) and is_operand(a) and is_operand(b) then
    if not tensor.istensor(a) then
      a, b, op = b, a, ({lt = "gt", le = "ge", gt = "lt", ge = "le"})[op] or op
    end
    return core.late.laid((registry.apply(op, {a, b}, 2)), a, b)
  end
end

local augmented = {add = "add_", sub = "sub_", mul = "mul_", div = "div_", floordiv = "floor_divide_", mod = "remainder_",
  pow = "pow_", lshift = "bitwise_left_shift_", rshift = "bitwise_right_shift_", bor = "bitwise_or_",
  bxor = "bitwise_xor_", band = "bitwise_and_"}

-- a op= b of a tensor a: a itself, changed; nil: it is none
function core.late.tensor_augmented(op, a, b)
  b = numpy_scalar.dtype(b) and core.unbox(b) or b -- of its own dtype, a stays of its
  if tensor.istensor(a) and augmented[op] and is_operand(b) then
    torch_strict.check(augmented[op], {a, b})
    return apply(augmented[op], {a, b}, 2)
  end
end

-- a op b where one is a tensor and the other True or False, which is of dtype bool.
function core.late.torch_truth(op, a, b)
  local function of(v)
    return type(v) == "boolean" and tensor.new({}, "bool"):fill_(v) or v
  end
  return (registry.apply(augmented[op]:sub(1, -2), {of(a), of(b)}, 2))
end

core.late.torch_refuses = torch_strict.operator

local devices = {}

-- What says where a tensor is: all are where the kernels that take them run.
local function device(name)
  local d = devices[name]
  if not d then
    local kind, index = name:match "^(%w+):?(%d*)$"
    d = setmetatable({type = kind or name, index = math.tointeger(tonumber(index)) or 0}, {__name = "torch.device",
      __tostring = function() return name end})
    devices[name] = d
  end
  return d
end

-- Other views of the same elements, which autograd has to see.
local turned = {T = "t", mT = "transpose"}

function foreign.tensor_attr(t, name)
  if name == "device" then
    return device "cuda:0"
  elseif name == "__class__" then
    return func.call(core.types.type, t)
  elseif name == "dtype" and not foreign.arrays[t] then
    return torch_dtype.of(t.dtype)
  elseif name == "shape" and not foreign.arrays[t] then
    return torch_size.of(t.shape, t.ndim)
  elseif name == "is_cuda" then
    return true
  elseif name == "_version" then -- only changes that autograd has to know are counted
    exc.fail("NotImplementedError", "`_version` of a tensor is not available here: not every change in place is counted", nil, name)
  elseif name == "itemsize" or name == "nbytes" then
    local bytes = registry.rows.element_size.fn(t)
    return name == "itemsize" and bytes or bytes * t:numel()
  elseif turned[name] and autograd.needs(t) then
    return (rows[turned[name]].fn(t))
  end
  return torch_autograd.tensor_attr(t, name)
end
foreign.tensor_setattr = torch_autograd.tensor_setattr

-- Modules -----------------------------------------------------------------------

-- A module whose operators are made when somebody asks; own: the names of its own.
local function module(name, own, also)
  own.__name__ = name
  own.__getattr__ = native.make("__getattr__", "name", function(k)
    local row = registry.rows[k] and k or also and also[k]
    if row then
      own[k] = operator(row)
      return own[k]
    end
    attr.missing(own, k, ("module '%s' has no attribute '%s' here"):format(name, k))
  end)
  own[core.ALSO] = {}
  for _, names in ipairs {registry.rows, also or {}} do
    for k in pairs(names) do
      table.insert(own[core.ALSO], not k:find "_$" and k or nil)
    end
  end
  return setmetatable(own, core.Module)
end

local dtypes = {
  "float64", "float32", "float16", "bfloat16", "float8_e4m3fn", "float8_e5m2", "int64", "int32", "int16", "int8",
  "uint8", "uint16", "uint32", "uint64", "bool",
}
local short = {half = "float16", float = "float32", double = "float64", long = "int64", int = "int32", short = "int16"}

local function constant(v)
  return native.make("constant", "**", function() return v end)
end

local profiles = {default = {4, 1000, 3, 80}, short = {2, 1000, 2, 80}, full = {4, math.huge, 3, 80}}

-- torch.set_printoptions(..)
local function print_options(precision, threshold, edgeitems, linewidth, profile, sci_mode)
  local o, given = require("moontile.python.torch_text").options, {precision, threshold, edgeitems, linewidth}
  local of = profile and profile ~= None and profiles[profile]
  for i, name in ipairs {"precision", "threshold", "edgeitems", "linewidth"} do
    o[name] = of and of[i] or o[name]
    if given[i] ~= nil and given[i] ~= None then
      o[name] = given[i]
    end
  end
  o.sci_mode = sci_mode
  if sci_mode == None then
    o.sci_mode = nil
  end
  return None
end

local function cuda()
  local c = {}
  torch_cuda.fill(c, module)
  c.Event = require "moontile.python.cuda_event"
  return module("torch.cuda", c)
end

-- torch.testing.assert_close: of tensors, numbers, and sequences and dicts of them.
local function assert_close(a, b, names)
  local kind = core.kind(a)
  if kind == "dict" and core.kind(b) == "dict" then
    for k, v in dict.each(a) do
      assert_close(v, subscripts.index(b, k), names)
    end
  elseif (kind == "list" or kind == "tuple") and a.n == b.n then
    for i = 1, a.n do
      assert_close(a[i], b[i], names)
    end
  else
    registry.apply("assert_close", {argument(a), argument(b)}, 2, names)
  end
end

local function testing()
  local t = {}
  t.assert_close = native.make("assert_close", "actual, expected, *, allow_subclasses?, rtol?, atol?, equal_nan?, check_device?, \z
    check_dtype?, check_layout?, check_stride?, msg?", function(a, b, _, rtol, atol, equal_nan, _, check_dtype, _, check_stride, msg)
    assert_close(a, b, {rtol = argument(rtol), atol = argument(atol), equal_nan = argument(equal_nan), check_dtype = argument(check_dtype),
      check_stride = argument(check_stride), msg = argument(msg)})
    return None
  end)
  return module("torch.testing", t)
end

-- torch.distributions.uniform: numbers between two bounds.
local Uniform = made.class("Uniform", "torch.distributions.uniform", {
  ["__init__(self, low, high)"] = function(d, low, high)
    d.low, d.high = low, high
    return None
  end,
  ["sample(self, sample_shape?)"] = function(d, shape)
    local r = tl.rand(shape and to_lua(shape) or {}, "float32")
    return rows.add.fn(rows.mul.fn(r, d.high - d.low), d.low)
  end,
})

-- torch.autocast(..): nothing is converted by itself here, so that a region that would be is refused.
local function autocast(name)
  local region = made.manager("autocast", "torch.amp")
  return native.make(name, "device_type?, dtype?, enabled?, cache_enabled?", function(_, _, enabled)
    if enabled ~= false then
      exc.fail("NotImplementedError", name .. " converts nothing here: write the conversions, or enabled=False", "py_value", name)
    end
    return region()
  end)
end

-- torch.amp
local function amp()
  local a = {autocast = autocast "torch.amp.autocast"}
  for _, name in ipairs {"custom_fwd", "custom_bwd"} do
    a[name] = native.make(name, "fwd?, device_type?, cast_inputs?", function(f)
      return f and f ~= None and f or native.make(name, "fwd", function(g) return g end)
    end)
  end
  return module("torch.amp", a)
end

-- torch._scaled_mm: a product of matrices of 8-bit floats with scales by row and column.
local function scaled_mm(kw, a, b, ...)
  local o = named(kw)
  local rest = {...}
  local r = rows.matmul.fn(a:astype "float32", b:astype "float32")
  for _, s in ipairs {o.scale_a or to_lua(rest[1]), o.scale_b or to_lua(rest[2])} do
    r = rows.mul.fn(r, s)
  end
  r = o.bias and rows.add.fn(r, o.bias) or r
  return r:astype(o.out_dtype or a.dtype)
end

-- torch.Tensor: what isinstance() asks for.
local function tensor_class()
  return core.late.foreign_class(tensor.new({1}, "float32"))
end

function M.make(P)
  local t = {_scaled_mm = native.make("_scaled_mm", "**", scaled_mm)}
  t.__getattribute__ = native.make("__getattribute__", "name", function(name) return core.late.attr(t, name) end)
  for _, name in ipairs(dtypes) do
    t[name] = torch_dtype.of(name)
  end
  for name, of in pairs(short) do
    t[name] = t[of]
  end
  t.Tensor = tensor_class()
  t.dtype, t.Size = torch_dtype.class, torch_size.class
  t.device = native.make("device", "name, index?", function(name, i)
    check_place(name)
    return type(name) == "string" and device(i and name .. ":" .. i or name) or name
  end)
  t.contiguous_format, t.preserve_format = contiguous_format, preserve_format
  t.inf, t.nan, t.pi = math.huge, core.nan, math.pi
  t.manual_seed = native.make("manual_seed", "seed", function(n)
    tl.manual_seed(n)
    return None
  end)
  t.is_tensor = native.make("is_tensor", "obj", function(v) return tensor.istensor(v) end)
  t.set_printoptions = native.make("set_printoptions", "precision?, threshold?, edgeitems?, linewidth?, profile?, *, sci_mode?",
    print_options)
  t.set_default_device = constant(None)
  torch_autograd.fill(t, module)
  t.compile = native.make("compile", "**", function(_, f) -- also as a decorator with options
    return f or native.make("compile", "f", function(g) return g end)
  end)
  t.random = module("torch.random", {manual_seed = t.manual_seed})
  t.cuda, t.testing, t.backends = cuda(), testing(), torch_cuda.backends(module)
  t.profiler = require("moontile.python.torch_profiler").module(module)
  t.nn = torch_nn.make(module)
  t.Generator = Generator
  t.distributions = module("torch.distributions", {Uniform = Uniform, uniform = module("torch.distributions.uniform",
    {Uniform = Uniform})})
  t.version = module("torch.version", {hip = device_of.current_device() == "hip" and "hip" or None})
  require("moontile.python.torch_info").fill(t, module)
  t.from_numpy = native.make("from_numpy", "ndarray", function(a) return tensor.istensor(a) and a:reshape(a.shape)
    or exc.fail("TypeError", ("expected np.ndarray (got %s)"):format(core.typename(a))) end)
  t.autocast = autocast "torch.autocast"
  t.is_autocast_enabled = native.make("is_autocast_enabled", "device_type?", function() return false end)
  t.amp, t.optim = amp(), module("torch.optim", (require "moontile.python.torch_optim"))
  t.__version__, t.torch = "2.8.0", t
  return module("torch", t)
end

function M.install(P)
  function P.imports.loaders.einops()
    return require("moontile.python.einops").make(module, operator)
  end
  local all
  local function whole()
    all = all or M.make(P)
    return all
  end
  for name, path in pairs {
    ["torch"] = {}, ["torch.nn"] = {"nn"}, ["torch.nn.functional"] = {"nn", "functional"},
    ["torch.nn.attention"] = {"nn", "attention"}, ["torch.cuda"] = {"cuda"},
    ["torch.testing"] = {"testing"}, ["torch.random"] = {"random"}, ["torch.autograd"] = {"autograd"},
    ["torch.backends"] = {"backends"}, ["torch.profiler"] = {"profiler"}, ["torch.optim"] = {"optim"}, ["torch.utils"] = {"utils"},
    ["torch.utils.cpp_extension"] = {"utils", "cpp_extension"}, ["torch.autograd.function"] = {"autograd", "function"},
    ["torch.amp"] = {"amp"}, ["torch.nn.utils"] = {"nn", "utils"}, ["torch.nn.init"] = {"nn", "init"}, ["torch.version"] = {"version"},
  } do
    P.imports.loaders[name] = function()
      local m = whole()
      for _, k in ipairs(path) do
        m = m[k]
      end
      return m
    end
  end
end

return M
