-- python/torch_strict.lua: what PyTorch refuses and tl.host would do: a program that runs here runs there.
--
-- check(name, args, n, names) raises what PyTorch raises, in its words; names are tl.host's operators.

local exc = require "moontile.python.exc"
local overlap = require "moontile.python.torch_overlap"
local rows = require("moontile.tl.host.registry").rows
local tensor = require "moontile.tensor"
local types = require "moontile.base.types"

local M = {}

local istensor = tensor.istensor

-- PyTorch's names of dtypes in messages.
local scalar = {
  float16 = "Half", float32 = "Float", float64 = "Double", bfloat16 = "BFloat16", int64 = "Long", int32 = "Int", int16 = "Short",
  int8 = "Char", uint8 = "Byte", bool = "Bool",
}
local ctype = {
  float16 = "c10::Half", float32 = "float", float64 = "double", bfloat16 = "c10::BFloat16", int64 = "long", int32 = "int",
  int16 = "short", int8 = "signed char", uint8 = "unsigned char", bool = "bool",
}

local function fail(text, ...)
  exc.fail("RuntimeError", text:format(...))
end

local function isfloat(t)
  return types.info(t.dtype).class == "F"
end

local function isbool(v)
  return v == true or v == false or istensor(v) and v.dtype == "bool"
end

local function sub(a)
  if isbool(a[1]) and isbool(a[2]) then
    fail("Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or `logical_xor()` operator instead.")
  elseif isbool(a[1]) or isbool(a[2]) then
    fail("Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying to invert a mask, use the `~` " ..
      "or `logical_not()` operator instead.")
  end
end

local function neg(a)
  if istensor(a[1]) and isbool(a[1]) then
    fail("Negation, the `-` operator, on a bool tensor is not supported. If you are trying to invert a mask, use the `~` or " ..
      "`logical_not()` operator instead.")
  end
end

-- An operator of floats alone, unless its dtype is named.
local function floats(text)
  return function(a, names)
    if istensor(a[1]) and not isfloat(a[1]) and not (names and names.dtype) then
      fail(text, scalar[a[1].dtype] or a[1].dtype)
    end
  end
end

local function product(text, of)
  return function(a)
    local x, y = a[1], a[2]
    if istensor(x) and istensor(y) and x.dtype ~= y.dtype then
      fail(text, of[x.dtype] or x.dtype, of[y.dtype] or y.dtype)
    end
  end
end

local matrices = product("expected m1 and m2 to have the same dtype, but got: %s != %s", ctype)
local scalars = product("expected scalar type %s but found %s", scalar)
local vectors = product("dot : expected both vectors to have same dtype, but found %s and %s", scalar)

local function matmul(a, names)
  local vector = istensor(a[1]) and istensor(a[2]) and a[1].ndim == 1 and a[2].ndim == 1
  return (vector and vectors or matrices)(a, names)
end

local function einsum(a)
  local list = type(a[2]) == "table" and not istensor(a[2]) and a[2] or {table.unpack(a, 2)}
  for i = 2, #list do
    scalars {list[1], list[i]}
  end
end

-- Whole numbers divided by 0.
local function divide(a)
  local x, y = a[1], a[2]
  local whole = (istensor(x) and not isfloat(x) or math.type(x) == "integer") and (istensor(y) and not isfloat(y) or y == 0 and math.type(y) == "integer")
  if whole and (y == 0 or istensor(y) and not tensor.unseen(y) and rows.eq.fn(y, 0):any()) then
    fail "ZeroDivisionError"
  end
end

local made = "implemented"
-- An operator along one dimension, which is to be named.
local function along(name, then_check)
  return function(a, names)
    if a[2] == nil and not (names and names.dim ~= nil) then
      exc.fail("TypeError", ('%s() missing 1 required positional arguments: "dim"'):format(name), "py_value")
    end
    return then_check and then_check(a, names)
  end
end

local softmax = floats('"softmax_lastdim_kernel_impl" not ' .. made .. " for '%s'")
local std = floats "std and var only support floating point and complex dtypes"
local norm = floats "linalg.vector_norm: Expected a floating point or complex tensor as input. Got %s"

-- An operator of two tensors, which takes no number for the second.
local function two_tensors(name)
  return function(a, names)
    local v = a[2]
    if v == nil then v = names and names.other end
    if v ~= nil and not istensor(v) then
      exc.fail("TypeError", ("%s(): argument 'other' must be Tensor, not %s"):format(name, require("moontile.python.core").typename(v)),
        "py_value")
    end
  end
end

-- An operator that PyTorch has for floats alone, not even for integers as floats.
local function no_ints(name)
  return function(a)
    if istensor(a[1]) and not isfloat(a[1]) then
      exc.fail("NotImplementedError", ("\"%s\" not %s for '%s'"):format(name, made, scalar[a[1].dtype] or a[1].dtype), "py_value")
    end
  end
end

-- An operator that PyTorch has not for bool.
local function no_bool(name)
  return function(a)
    if istensor(a[1]) and a[1].dtype == "bool" then
      exc.fail("NotImplementedError", ("\"%s\" not %s for 'Bool'"):format(name, made), "py_value")
    end
  end
end

-- x + alpha y of integers takes no float for alpha.
local function whole_alpha(then_check)
  return function(a, names)
    local alpha = names and names.alpha
    if math.type(alpha) == "float" and not (istensor(a[1]) and isfloat(a[1]) or istensor(a[2]) and isfloat(a[2]) or math.type(a[2]) == "float") then
      fail "For integral input tensors, argument alpha must not be a floating point number."
    end
    return then_check and then_check(a)
  end
end

local function places(name)
  return function(a)
    if istensor(a[1]) and a[1].dtype == "bool" then
      fail("%s(): does not support bool input", name)
    end
  end
end

local function mean_of(a, names)
  local d = names and names.dtype
  if d and types.info(d).class ~= "F" then
    fail("mean(): could not infer output dtype. Optional dtype must be either a floating point or complex dtype. Got: %s", scalar[d] or d)
  end
end

local mean = floats "mean(): could not infer output dtype. Input dtype must be either a floating point or complex dtype. Got: %s"

local function meshgrid(a)
  local list = #a == 1 and type(a[1]) == "table" and not istensor(a[1]) and a[1] or a
  for _, t in ipairs(list) do
    if istensor(t) and istensor(list[1]) and t.dtype ~= list[1].dtype then
      fail "meshgrid expects all tensors to have the same dtype"
    end
  end
end

local checks = {
  add = whole_alpha(), sub = whole_alpha(sub), subtract = whole_alpha(sub), rsub = sub, neg = neg, negative = neg,
  mean = function(a, names)
    mean(a, names)
    mean_of(a, names)
  end,
  argmax = places "argmax", argmin = places "argmin", meshgrid = meshgrid,
  softmax = along("softmax", softmax), cumsum = along "cumsum", cumprod = along "cumprod", logsumexp = along "logsumexp", std = std, var = std, norm = norm,
  log_softmax = along("log_softmax", floats('"log_softmax_lastdim_kernel_impl" not ' .. made .. " for '%s'")),
  matmul = matmul, mm = matrices, mv = matrices, bmm = scalars, dot = vectors, linear = matrices, einsum = einsum,
  floor_divide = divide, remainder = divide, fmod = divide,
}

for name in ("maximum minimum fmax fmin logical_and logical_or logical_xor atan2 arctan2 hypot logaddexp gcd"):gmatch "%S+" do
  checks[name] = two_tensors(name)
end
for name, kernel in pairs {frac = "frac", elu = "elu", leaky_relu = "leaky_relu", gelu = "GeluKernelImpl", softplus = "softplus",
  logsigmoid = "log_sigmoid", silu = "silu", mish = "mish", lerp = "lerp_kernel_scalar"} do
  checks[name] = no_ints(kernel)
end

for name, kernel in pairs {abs = "abs_cpu", floor = "floor_cpu", ceil = "ceil_cpu", round = "round_cpu", trunc = "trunc_cpu", median = "median_out_impl"} do
  checks[name] = no_bool(kernel)
end
function checks.relu(a)
  if istensor(a[1]) and a[1].dtype == "bool" then
    fail "Boolean inputs not supported for relu"
  end
end

-- Does PyTorch write results of `from` into a tensor of `to` (out=, in place)?
function M.check_cast(from, to)
  local f, t = types.info(from).class, types.info(to).class
  if f == "F" and t ~= "F" or to == "bool" and from ~= "bool" then
    fail("result type %s can't be cast to the desired output type %s", scalar[from] or from, scalar[to] or to)
  end
end

-- t[keys] = v: behind tensors and lists as keys the dtypes have to be the same, but for one element behind a mask.
function M.put(t, keys, v)
  overlap.put(t, keys, v)
  if not istensor(v) or v.dtype == t.dtype then
    return
  end
  for _, k in ipairs(keys) do
    local list = type(k) == "table" and getmetatable(k) == nil
    if (istensor(k) and (k.ndim > 0 or k.dtype == "bool") or list) and not (istensor(k) and k.dtype == "bool" and v:numel() == 1) then
      fail("Index put requires the source and destination dtypes match, got %s for the destination and %s for the source.",
        scalar[t.dtype] or t.dtype, scalar[v.dtype] or v.dtype)
    end
  end
end

-- Kinds of parameters that are whole numbers or lists of them, and names of others that are.
local whole = {dim = true, dims = true, int = true}
local sizes = {size = true, shape = true, sizes = true, dims = true, steps = true, low = true, high = true, m = true, normalized_shape = true}

local function has_float(v)
  if type(v) == "table" and not istensor(v) then
    for _, x in ipairs(v) do
      if math.type(x) == "float" then
        return true
      end
    end
  end
  return math.type(v) == "float"
end

-- PyTorch takes no float for an int, not even 2.0.
local function no_floats(name, args, names)
  local row = rows[name]
  local params = row and row.params or {}
  local function look(p, v)
    if p and (whole[p.kind] or sizes[p.name]) and has_float(v) then
      exc.fail("TypeError", ("%s(): argument '%s' must be int, not float"):format(name, p.name), "py_value")
    end
  end
  for i = 1, #params do
    local p = params[i]
    if p.name == row.rest then
      for k = i, #args do
        look(p, args[k])
      end
      break
    end
    look(p, args[i])
  end
  for _, p in ipairs(params) do
    look(p, names and names[p.name])
  end
end

function M.check(name, args, names)
  no_floats(name, args, names)
  local plain = name:match "^(.*[^_])_$"
  if plain and istensor(args[1]) then
    overlap.in_place(plain, args, names)
  end
  local f = checks[plain or name]
  if f then
    f(args, names)
  end
end

-- Operators of Python's: what they are among tl.host's.
local operators = {sub = "sub", matmul = "matmul", floordiv = "floor_divide", mod = "remainder", neg = "neg"}

function M.operator(op, a, b)
  if operators[op] and (istensor(a) or istensor(b)) then
    M.check(operators[op], {a, b})
  end
end

return M
