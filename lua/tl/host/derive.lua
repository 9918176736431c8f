-- tl/host/derive.lua: derivatives of the operators that work element by element, and of those that have the
-- same elements in another shape or order.  autograd.lua says what a row's `grad` is.

local registry = require "moontile.tl.host.registry"
local tensor = require "moontile.tensor"

local R = registry.rows
local M = {}

-- Operators by their rows, so that a formula reads as one.
local function op(name)
  return function(...) return (R[name].fn(...)) end
end
local add, sub, mul, div, pow, neg = op "add", op "sub", op "mul", op "div", op "pow", op "neg"
local exp, log, sign, square = op "exp", op "log", op "sign", op "square"
local gt, lt, eq, land, lnot = op "gt", op "lt", op "eq", op "logical_and", op "logical_not"
local sin, cos, sinh, cosh, tanh, sigmoid = op "sin", op "cos", op "sinh", op "cosh", op "tanh", op "sigmoid"
local where, softplus, reciprocal = op "where", op "softplus", op "reciprocal"
M.op = op

-- rows[name].grad = f for each name.
local function derive(names, f)
  for name in names:gmatch "%S+" do
    R[name].grad = f
  end
end
M.derive = derive

-- One input -------------------------------------------------------------------------
-- name -> function(x, y): the derivative; y: the result.  g is multiplied with it.

local ln2, ln10, two_over_root_pi = math.log(2), math.log(10), 2 / math.sqrt(math.pi)

-- The normal distribution's density and how much of it lies below x.
local function density(x) return mul(exp(mul(square(x), -0.5)), 1 / math.sqrt(2 * math.pi)) end
local function below(x) return mul(add(R.erf.fn(mul(x, math.sqrt(0.5))), 1), 0.5) end

local by_input = {
  square = function(x) return mul(x, 2) end, abs = sign,
  log = reciprocal, log2 = function(x) return reciprocal(mul(x, ln2)) end,
  log10 = function(x) return reciprocal(mul(x, ln10)) end,
  log1p = function(x) return reciprocal(add(x, 1)) end,
  sin = cos, cos = function(x) return neg(sin(x)) end, sinh = cosh, cosh = sinh,
  asin = function(x) return R.rsqrt.fn(sub(1, square(x))) end,
  acos = function(x) return neg(R.rsqrt.fn(sub(1, square(x)))) end,
  atan = function(x) return reciprocal(add(square(x), 1)) end,
  asinh = function(x) return R.rsqrt.fn(add(square(x), 1)) end,
  acosh = function(x) return R.rsqrt.fn(sub(square(x), 1)) end,
  atanh = function(x) return reciprocal(sub(1, square(x))) end,
  erf = function(x) return mul(exp(neg(square(x))), two_over_root_pi) end,
  erfc = function(x) return mul(exp(neg(square(x))), -two_over_root_pi) end,
  silu = function(x)
    local s = sigmoid(x)
    return mul(s, add(mul(x, sub(1, s)), 1))
  end,
  mish = function(x)
    local t = tanh(softplus(x))
    return add(t, mul(mul(x, sigmoid(x)), sub(1, square(t))))
  end,
  logsigmoid = function(x) return sigmoid(neg(x)) end,
}
local by_result = {
  exp = function(y) return y end, exp2 = function(y) return mul(y, ln2) end,
  expm1 = function(y) return add(y, 1) end, sqrt = function(y) return reciprocal(mul(y, 2)) end,
  rsqrt = function(y) return mul(pow(y, 3), -0.5) end, reciprocal = function(y) return neg(square(y)) end,
  tan = function(y) return add(square(y), 1) end, tanh = function(y) return sub(1, square(y)) end,
  sigmoid = function(y) return mul(y, sub(1, y)) end,
}
for name, f in pairs(by_input) do
  R[name].grad = function(c, g) return {mul(g, f(c:arg(1)))} end
end
for name, f in pairs(by_result) do
  R[name].grad = function(c, g) return {mul(g, f(c:out()))} end
end

derive("neg", function(_, g) return {neg(g)} end)
derive("relu", function(c, g) return {where(R.le.fn(c:out(), 0), 0, g)} end) -- chosen: a factor of 0 keeps NaN
derive("frac", function(_, g) return {g} end)
derive("floor ceil trunc round sign", function(c, g) return {tensor.new(c:shape(1), g.dtype)} end)

derive("gelu", function(c, g)
  local x = c:arg(1)
  if c[2] ~= "tanh" then
    return {mul(g, add(below(x), mul(x, density(x))))}
  end
  local k, a = math.sqrt(2 / math.pi), 0.044715
  local t = tanh(mul(add(x, mul(pow(x, 3), a)), k))
  local inner = mul(add(mul(square(x), 3 * a), 1), k)
  return {mul(g, add(mul(add(t, 1), 0.5), mul(mul(x, 0.5), mul(sub(1, square(t)), inner))))}
end)
derive("softplus", function(c, g)
  local x, beta = c:arg(1), c[2] or 1
  local scaled = mul(x, beta)
  return {where(gt(scaled, c[3] or 20), g, mul(g, sigmoid(scaled)))}
end)
derive("leaky_relu", function(c, g)
  return {where(gt(c:arg(1), 0), g, mul(g, c[2] or 0.01))}
end)
derive("elu", function(c, g)
  local x, alpha = c:arg(1), c[2] or 1
  return {where(gt(x, 0), g, mul(g, mul(exp(x), alpha)))}
end)

-- Two -------------------------------------------------------------------------------

derive("add", function(c, g) return {g, mul(g, c[3] or 1)} end)
derive("sub", function(c, g) return {g, mul(g, -(c[3] or 1))} end)
derive("mul", function(c, g) return {mul(g, c:arg(2)), mul(g, c:arg(1))} end)
derive("div", function(c, g)
  local x, y = c:arg(1), c:arg(2)
  if c[3] then -- whole numbers do not move
    return {mul(g, 0), mul(g, 0)}
  end
  return {div(g, y), neg(div(mul(g, x), mul(y, y)))}
end)
derive("floor_divide", function(_, g) return {mul(g, 0), mul(g, 0)} end)
derive("pow", function(c, g)
  local x, y = c:arg(1), c:arg(2)
  local dx, dy
  if tensor.istensor(x) then
    dx = mul(g, mul(y, pow(x, sub(tensor.istensor(y) and y or tensor.from_table(y + 0.0, "float64"), 1))))
    dx = where(eq(tensor.istensor(y) and y or tensor.from_table(y + 0.0, "float64"), 0), mul(dx, 0), dx)
  end
  if tensor.istensor(y) then
    local base = tensor.istensor(x) and x or tensor.from_table(x + 0.0, "float64")
    dy = mul(g, where(eq(c:out(), 0), 0, mul(c:out(), log(base))))
  end
  return {dx, dy}
end)
-- What loses gets nothing, of equals each half.
local function chosen(loses, wins)
  return function(c, g)
    local x, y = c:arg(1), c:arg(2)
    local rest = where(eq(x, y), mul(g, 0.5), g)
    return {where(loses(x, y), 0, rest), where(wins(x, y), 0, rest)}
  end
end
M.larger, M.smaller = chosen(lt, gt), chosen(gt, lt)
derive("maximum", M.larger)
derive("minimum", M.smaller)
-- Of these the first has it where they are equal.
local function first_of(holds)
  return function(c, g)
    local x, y = c:arg(1), c:arg(2)
    local mine = R.logical_or.fn(holds(x, y), R.isnan.fn(tensor.istensor(y) and y or tensor.from_table(y + 0.0, "float64")))
    return {where(mine, g, 0), where(mine, 0, g)}
  end
end
derive("fmax", first_of(op "ge"))
derive("fmin", first_of(op "le"))
derive("copysign", function(c, g)
  local x = c:arg(1)
  return {where(eq(x, 0), 0, mul(g, div(c:out(), x))), mul(g, 0)}
end)
derive("lerp", function(c, g)
  local w = c:arg(3)
  return {mul(g, sub(1, w)), mul(g, w), tensor.istensor(w) and mul(g, sub(c:arg(2), c:arg(1))) or nil}
end)
derive("fmod", function(c, g) return {g, neg(mul(g, R.div.fn(c:arg(1), c:arg(2), "trunc")))} end)
derive("remainder", function(c, g) return {g, neg(mul(g, R.div.fn(c:arg(1), c:arg(2), "floor")))} end)
derive("atan2", function(c, g)
  local y, x = c:arg(1), c:arg(2)
  local k = div(g, add(mul(x, x), mul(y, y)))
  return {mul(k, x), neg(mul(k, y))}
end)
derive("hypot", function(c, g)
  local k = div(g, c:out())
  return {mul(k, c:arg(1)), mul(k, c:arg(2))}
end)
derive("xlogy", function(c, g)
  local x, y = c:arg(1), c:arg(2)
  local none = land(eq(x, 0), R.le.fn(y, 0))
  return {where(none, 0, mul(g, log(y))), div(mul(g, x), y)}
end)
derive("logaddexp", function(c, g)
  local y = c:out()
  return {mul(g, exp(sub(c:arg(1), y))), mul(g, exp(sub(c:arg(2), y)))}
end)

-- Of the form of a tensor, not of its elements.
derive("zeros_like ones_like empty_like full_like rand_like randn_like randint_like new_zeros new_ones new_empty new_full \z
  new_tensor tensor", "none") -- a copy begins a history of its own
derive("as_tensor", "parts")

-- Three -----------------------------------------------------------------------------

derive("where", function(c, g)
  local cond = c:arg(1)
  return {nil, where(cond, g, 0), where(cond, 0, g)}
end)
derive("masked_fill", function(c, g)
  local mask = c:arg(2)
  return {R.masked_fill.fn(g, mask, 0), nil, where(mask, g, 0)}
end)
derive("addcmul", function(c, g)
  local k = mul(g, c[4] or 1)
  return {g, mul(k, c:arg(3)), mul(k, c:arg(2))}
end)
derive("addcdiv", function(c, g)
  local k, y, z = mul(g, c[4] or 1), c:arg(2), c:arg(3)
  return {g, div(k, z), neg(div(mul(k, y), mul(z, z)))}
end)
-- Within the bounds, these among it, g goes to x, else to the bound.
derive("clamp", function(c, g)
  local x, lo, hi = c:arg(1), c:arg(2), c:arg(3)
  local low = lo ~= nil and lt(x, lo) or nil
  local high = hi ~= nil and gt(x, hi) or nil
  local out = low and high and R.logical_or.fn(low, high) or low or high
  return {where(out, 0, g), low and where(high and land(low, lnot(high)) or low, g, 0), high and where(high, g, 0)}
end)
derive("clamp_min", function(c, g)
  local low = lt(c:arg(1), c:arg(2))
  return {where(low, 0, g), where(low, g, 0)}
end)
derive("clamp_max", function(c, g)
  local high = gt(c:arg(1), c:arg(2))
  return {where(high, 0, g), where(high, g, 0)}
end)
derive("nan_to_num", function(c, g) return {mul(g, R.isfinite.fn(c:arg(1)))} end)

-- Views ------------------------------------------------------------------------------

-- Zeros of the first argument's form, of which the same view gets the gradient.
for name in ("reshape view_as reshape_as flatten unflatten unsqueeze squeeze permute transpose t movedim narrow \z
  select diagonal split chunk unbind"):gmatch "%S+" do
  local row = R[name]
  local again = row.fn
  row.grad = function(c, ...)
    local g = {...}
    local z = tensor.new(c:shape(1), g[1].dtype)
    local parts = table.pack(again(z, table.unpack(c.node.args, 2, c.node.args.n)))
    if parts.n == 1 and tensor.isplain(parts[1]) then parts = parts[1] end
    for i, part in ipairs(parts) do
      if tensor.istensor(g[i]) then part:copy_(g[i]) end
    end
    return {z}
  end
  row.single = true
end
-- The same bytes as another dtype have no derivative.
R.view.grad = function(c, g)
  if type(c[2][1]) == "string" then
    require("moontile.diag").fail("grad_missing", "view(dtype)")
  end
  return {R.reshape.fn(g, c:shape(1))}
end
-- What broadcasts, or only converts.
derive("expand expand_as broadcast_to clone type_as type short char byte", function(_, g) return {g} end)
derive("flip", function(c, g) return {R.flip.fn(g, c[2])} end)
derive("roll", function(c, g)
  local back, s = {}, c[2]
  for i, n in ipairs(type(s) == "table" and s or {s}) do back[i] = -n end
  return {R.roll.fn(g, back, type(c[3]) == "number" and {c[3]} or c[3])}
end)
derive("tril", function(c, g) return {R.tril.fn(g, c[2])} end)
derive("triu", function(c, g) return {R.triu.fn(g, c[2])} end)

-- Joined ------------------------------------------------------------------------------

derive("cat", function(c, g)
  local list, dim, at = {}, c[2] or 0, 0
  for i, t in ipairs(c[1]) do
    local d = dim < 0 and dim + g.ndim or dim
    if t:numel() > 0 or t.ndim == g.ndim then
      list[i] = g:narrow(d, at, t.shape[d + 1])
      at = at + t.shape[d + 1]
    end
  end
  return {list}
end)
derive("stack", function(c, g)
  local list = {}
  for i = 1, #c[1] do list[i] = R.select.fn(g, c[2] or 0, i - 1) end
  return {list}
end)
-- Sums over the copies: of a repeated tensor each size as (times, extent).
local function copies(c, g, times)
  local s, shape, dims = c:shape(1), {}, {}
  for d = 1, #times do
    local extent = s[d - #times + #s] or 1
    shape[2 * d - 1], shape[2 * d], dims[d] = times[d], extent, 2 * d - 2
  end
  return {R.reshape.fn(R.sum.fn(R.reshape.fn(g, shape), dims), s)}
end
derive("repeat", function(c, g) return copies(c, g, c[2]) end)
derive("tile", function(c, g)
  local times, n = table.move(c[2], 1, #c[2], 1, {}), #c:shape(1)
  while #times < n do table.insert(times, 1, 1) end
  return copies(c, g, times)
end)
derive("repeat_interleave", function(c, g)
  local dim, x = c[3], c:shape(1)
  local z = tensor.new(x, g.dtype)
  local n = 1
  for _, e in ipairs(x) do n = n * e end
  -- the place that each element of the result came from, by repeating the places themselves
  local count = dim and x[(dim < 0 and dim + #x or dim) + 1] or n
  local from = R.repeat_interleave.fn(R.arange.fn(count), c[2], 0)
  if not dim then
    return {R.reshape.fn(R.index_add.fn(z:reshape {-1}, 0, from, g), x)}
  end
  return {R.index_add.fn(z, dim, from, g)}
end)

return M
