-- tl/host/derive_sums.lua: derivatives of reductions, products, selections, and of what is made of several
-- operators.  autograd.lua says what a row's `grad` is.

local autograd = require "moontile.tl.host.autograd"
local diag = require "moontile.diag"
local registry = require "moontile.tl.host.registry"
local rt = require "moontile.tl.host.promote"
local elements = require "moontile.tl.host.derive"
local tensor = require "moontile.tensor"

local R, op, derive = registry.rows, elements.op, elements.derive
local add, sub, mul, div, exp, eq, where = op "add", op "sub", op "mul", op "div", op "exp", op "eq", op "where"
local sum, matmul, unsqueeze, transpose = op "sum", op "matmul", op "unsqueeze", op "transpose"

-- Reductions --------------------------------------------------------------------------

-- g or y with the reduced dimensions in their places again, of extent 1.
local function widened(c, g, dim, keepdim)
  local shape = c:shape(1)
  if keepdim then return g end
  for _, d in ipairs(rt.dims(c[1], dim)) do shape[d + 1] = 1 end
  return R.reshape.fn(g, shape)
end

-- How many elements make one of the result.
local function count(c, dim)
  local n, s = 1, c:shape(1)
  for _, d in ipairs(rt.dims(c[1], dim)) do n = n * s[d + 1] end
  return n
end

local function spread(c, g, dim, keepdim)
  return R.expand.fn(widened(c, g, dim, keepdim), c:shape(1))
end

derive("sum", function(c, g) return {spread(c, g, c[2], c[3])} end)
derive("nansum", function(c, g)
  return {mul(spread(c, g, c[2], c[3]), R.logical_not.fn(R.isnan.fn(c:arg(1))))}
end)
derive("mean", function(c, g) return {div(spread(c, g, c[2], c[3]), count(c, c[2]))} end)
derive("prod", function(c, g)
  local x = c:arg(1)
  if eq(x, 0):any() then diag.fail("grad_missing", "prod (with a 0)") end
  return {div(mul(widened(c, g, c[2], c[3]), widened(c, c:out(), c[2], c[3])), x)}
end)
derive("logsumexp", function(c, g)
  local y = widened(c, c:out(), c[2], c[3])
  return {mul(widened(c, g, c[2], c[3]), exp(sub(c:arg(1), y)))}
end)

-- Of equals each gets the same part.
local function extreme(c, g, dim, keepdim)
  local hit = eq(c:arg(1), widened(c, c:out(), dim, keepdim))
  local n = sum(hit, rt.dims(c[1], dim), true)
  return {div(mul(widened(c, g, dim, keepdim), hit), n)}
end
derive("amax amin", function(c, g) return extreme(c, g, c[2], c[3]) end)

-- g to the places along a dimension that a result names.
local function to_places(c, g, dim, keepdim)
  local places = c:out(2)
  if #c:shape(1) == 0 then return {R.reshape.fn(g, {})} end
  local d = rt.dim(c[1], dim)
  if not keepdim then g, places = unsqueeze(g, d), unsqueeze(places, d) end
  return {R.scatter_add.fn(tensor.new(c:shape(1), g.dtype), d, places, g)}
end
derive("max min", function(c, g)
  if c[4] ~= nil or tensor.istensor(c[2]) then
    local other = c[4] ~= nil and 4 or 2
    local pair = {arg = function(_, i) return c:arg(i == 2 and other or i) end}
    local both, r = (c.node.name == "max" and elements.larger or elements.smaller)(pair, g), {}
    r[1], r[other] = both[1], both[2]
    return r
  elseif c[2] == nil then
    return extreme(c, g, nil, c[3])
  end
  return to_places(c, g, c[2], c[3])
end)
derive("median kthvalue", function(c, g)
  local at = c.node.name == "median" and 2 or 3
  if c[at] == nil and at == 2 then diag.fail("grad_missing", "median without a dimension") end
  return to_places(c, g, c[at] or -1, c[at + 1])
end)
derive("sort", function(c, g) return to_places(c, g, c[2] or -1, true) end)
derive("topk", function(c, g) return to_places(c, g, c[3] or -1, true) end)
derive("cumsum", function(c, g)
  local d = rt.dim(c[1], c[2])
  return {R.flip.fn(R.cumsum.fn(R.flip.fn(g, {d}), d), {d})}
end)

-- What comes to an element through the products from it on.  At the first 0 the others' product is that without it;
-- behind it nothing changes any more.
derive("cumprod", function(c, g)
  local x, d = c:arg(1), rt.dim(c[1], c[2])
  local function behind(y)
    return R.flip.fn(R.cumsum.fn(R.flip.fn(mul(g, y), {d}), d), {d})
  end
  local zero = eq(x, 0)
  local before = R.cumsum.fn(zero, d)
  local first = R.logical_and.fn(zero, eq(before, 1))
  local plain = div(behind(R.cumprod.fn(x, d)), where(zero, 1, x))
  local there = behind(R.cumprod.fn(where(first, 1, x), d))
  return {where(eq(before, 0), plain, where(first, there, 0))}
end)

-- softmax: y (g - sum(g y)); its logarithm: g - exp(y) sum(g)
local function softmax_dim(c)
  local n = c[1].ndim
  return c[2] or ((n == 0 or n == 1 or n == 3) and 0 or 1)
end
derive("softmax", function(c, g)
  local y = c:out()
  return {mul(y, sub(g, sum(mul(g, y), softmax_dim(c), true)))}
end)
derive("log_softmax", function(c, g)
  return {sub(g, mul(exp(c:out()), sum(g, softmax_dim(c), true)))}
end)

-- Products ----------------------------------------------------------------------------

-- Gradients of a product of matrices, vectors among them.
local function product(g, a, b)
  local x, y = a.ndim == 1 and unsqueeze(a, 0) or a, b.ndim == 1 and unsqueeze(b, 1) or b
  if b.ndim == 1 then g = unsqueeze(g, -1) end
  if a.ndim == 1 then g = unsqueeze(g, -2) end
  local da = matmul(g, transpose(y, -2, -1))
  local db
  if y.ndim == 2 and x.ndim > 2 then -- one matrix for all
    local s = x.shape
    db = matmul(transpose(R.reshape.fn(x, {-1, s[#s]}), 0, 1), R.reshape.fn(g, {-1, g.shape[g.ndim]}))
  else
    db = matmul(transpose(x, -2, -1), g)
  end
  if a.ndim == 1 then da = R.squeeze.fn(da, -2) end
  if b.ndim == 1 then db = R.squeeze.fn(db, -1) end
  return da, db
end

derive("matmul mm mv bmm dot", function(c, g)
  local da, db = product(g, c:arg(1), c:arg(2))
  return {da, db}
end)
derive("addmm baddbmm addmv", function(c, g)
  local da, db = product(mul(g, c[5] or 1), c:arg(2), c:arg(3))
  return {mul(g, c[4] or 1), da, db}
end)
derive("linear", function(c, g)
  local x, w = c:arg(1), c:arg(2)
  local dx, dw = product(g, x, w.ndim == 1 and w or transpose(w, 0, 1))
  return {dx, w.ndim == 1 and dw or transpose(dw, 0, 1), g}
end)
derive("outer kron", "parts")

-- The subscripts of an equation, a list of texts, and that of its result.
local function subscripts(equation)
  local left, out = equation:gsub("%s", ""):match "^(.-)%->(.*)$"
  left = left or equation:gsub("%s", "")
  local list, times = {}, {}
  for s in (left .. ","):gmatch "(.-)," do
    list[#list + 1] = s
    for l in s:gmatch "%a" do times[l] = (times[l] or 0) + 1 end
  end
  if not out then
    local once = {}
    for l, n in pairs(times) do once[#once + 1] = n == 1 and l or nil end
    table.sort(once)
    out = (left:find(".", 1, true) and "..." or "") .. table.concat(once)
  end
  return list, out
end

-- Sums that only operand i has make no difference: its letters that nothing else has are dimensions of 1.
local function lone(subscript, others)
  local kept, gone = "", {}
  for at, l in subscript:gmatch "()(%a)" do
    if others:find(l, 1, true) then
      kept = kept .. l
    else
      local _, after = subscript:sub(at + 1):gsub("%a", "")
      gone[#gone + 1] = {after = after, dots = subscript:find("...", at, true) ~= nil, before = at - 1}
    end
  end
  if subscript:find("...", 1, true) then
    local head = subscript:match "^(.-)%.%.%."
    local first = ""
    for l in head:gmatch "%a" do first = first .. (others:find(l, 1, true) and l or "") end
    kept = first .. "..." .. kept:sub(#first + 1)
  end
  return kept, gone
end

derive("einsum", function(c, g)
  local list, out = subscripts(c[1])
  local grads = {}
  for i, own in ipairs(list) do
    local others, operands = {out}, {g}
    for l in own:gmatch "%a" do
      if select(2, own:gsub(l, "")) > 1 then diag.fail("grad_missing", "einsum with a letter twice in one operand") end
    end
    for j = 1, #list do
      if j ~= i then
        others[#others + 1] = list[j]
        operands[#operands + 1] = c:arg(2, j)
      end
    end
    local kept, gone = lone(own, table.concat(others))
    local d = R.einsum.fn(table.concat(others, ",") .. "->" .. kept, operands)
    for _, l in ipairs(gone) do d = l.dots and unsqueeze(d, l.before) or d end
    for k = #gone, 1, -1 do d = gone[k].dots and d or unsqueeze(d, -1 - gone[k].after) end
    grads[i] = #gone > 0 and R.expand.fn(d, c[2][i].shape) or d
  end
  return {nil, grads}
end)

-- Selections --------------------------------------------------------------------------

derive("gather", function(c, g)
  return {R.scatter_add.fn(tensor.new(c:shape(1), g.dtype), c[2], c:arg(3), g)}
end)
derive("index_select", function(c, g)
  return {R.index_add.fn(tensor.new(c:shape(1), g.dtype), c[2], c:arg(3), g)}
end)
derive("scatter_add", function(c, g) return {g, nil, nil, R.gather.fn(g, c[2], c:arg(3))} end)
derive("scatter", function(c, g)
  if c[6] ~= nil then diag.fail("grad_missing", "scatter with reduce") end
  return {R.scatter.fn(g, c[2], c:arg(3), nil, 0), nil, nil, R.gather.fn(g, c[2], c:arg(3))}
end)
derive("index_add", function(c, g)
  return {g, nil, nil, mul(R.index_select.fn(g, c[2], c:arg(3)), c[5] or 1)}
end)
derive("masked_select", function(c, g)
  return {R.masked_scatter.fn(tensor.new(c:shape(1), g.dtype), c:arg(2), g)}
end)
derive("embedding", function(c, g)
  local at = R.reshape.fn(c:arg(1), {-1})
  local flat = R.reshape.fn(g, {-1, g.shape[g.ndim]})
  local r = R.index_add.fn(tensor.new(c:shape(2), g.dtype), 0, at, flat)
  if c[3] then r = R.index_fill.fn(r, 0, tensor.from_table({c[3]}, "int64"), 0) end
  return {nil, r}
end)
derive("pad", function(c, g)
  if c[3] ~= nil and c[3] ~= "constant" then diag.fail("grad_missing", "pad with mode " .. c[3]) end
  for i = 1, #c[2], 2 do
    local lo, hi, d = c[2][i], c[2][i + 1], g.ndim - 1 - i // 2
    local n = g.shape[d + 1] - lo - hi
    if lo < 0 or hi < 0 then diag.fail("grad_missing", "pad with negative sizes") end
    g = R.narrow.fn(g, d, lo, n)
  end
  return {g}
end)

-- Made of several -----------------------------------------------------------------------

-- A row's derivative by that of an equal composition of rows: f(args ..) -> the same result.
local function through(f)
  return function(c, g)
    local args, leaves, where_ = {n = c.node.args.n}, {}, {}
    for i = 1, args.n do
      args[i] = c:arg(i)
      if tensor.istensor(args[i]) and rt.isfloat(args[i].dtype) then
        args[i] = autograd.require(autograd.detach(args[i]))
        leaves[#leaves + 1], where_[#where_ + 1] = args[i], i
      end
    end
    local _ <close> = autograd.set(true)
    local y = f(table.unpack(args, 1, args.n))
    local grads = {}
    for i, d in pairs(autograd.grad({y}, leaves, {g}, false, false, true)) do grads[where_[i]] = d end
    return grads
  end
end

-- The last dimensions that a shape names.
local function last(x, shape)
  local dims = {}
  for d = 1, type(shape) == "table" and #shape or 1 do dims[d] = x.ndim - d end
  return dims
end

derive("layer_norm", through(function(x, shape, weight, bias, eps)
  local dims = last(x, shape)
  local d = sub(x, R.mean.fn(x, dims, true))
  local y = mul(d, R.rsqrt.fn(add(R.mean.fn(mul(d, d), dims, true), eps or 1e-5)))
  y = weight and mul(y, weight) or y
  return bias and add(y, bias) or y
end))
derive("rms_norm", function(c, g)
  local eps = c[4] or require("moontile.tl.tensor").rules.dtype_info(c[1].dtype).eps
  return through(function(x, shape, weight)
    local m = R.mean.fn(mul(x, x), last(x, shape), true)
    local y = mul(x, R.rsqrt.fn(add(m, eps)))
    return weight and mul(y, weight) or y
  end)(c, g)
end)
-- A root whose derivative at 0 is 0, as that of a norm.
local function root(s)
  local none = eq(s, 0)
  return where(none, 0, R.sqrt.fn(where(none, 1, s)))
end

local function norm(x, p, dim, keepdim)
  if p == nil or p == 2 or p == "fro" then
    return root(sum(mul(x, x), dim, keepdim))
  elseif p == 1 then
    return sum(R.abs.fn(x), dim, keepdim)
  elseif p == math.huge then
    return R.amax.fn(R.abs.fn(x), dim, keepdim)
  end
  return R.pow.fn(sum(R.pow.fn(R.abs.fn(x), p), dim, keepdim), 1 / p)
end
derive("norm", through(norm))
derive("normalize", through(function(x, p, dim, eps)
  return div(x, R.clamp_min.fn(norm(x, p, dim or 1, true), eps or 1e-12))
end))
local function var(x, dim, unbiased, keepdim, correction)
  if type(dim) == "boolean" then dim, unbiased = nil, dim end
  local n = 1
  for _, d in ipairs(rt.dims(x, dim)) do n = n * x.shape[d + 1] end
  local d = sub(x, R.mean.fn(x, dim, true))
  return div(sum(mul(d, d), dim, keepdim), n - (correction or (unbiased == false and 0 or 1)))
end
derive("var", through(var))
derive("std", through(function(...) return root(var(...)) end))
derive("scaled_dot_product_attention", through(function(q, k, v, mask, _, causal, scale, gqa)
  if gqa then
    local times = q.shape[q.ndim - 2] // k.shape[k.ndim - 2]
    k, v = R.repeat_interleave.fn(k, times, -3), R.repeat_interleave.fn(v, times, -3)
  end
  local s = mul(matmul(q, transpose(k, -2, -1)), scale or q.shape[q.ndim] ^ -0.5)
  if causal then mask = R.tri.fn(q.shape[q.ndim - 1], k.shape[k.ndim - 1], 0, "bool") end
  if mask and mask.dtype == "bool" then s = where(mask, s, -math.huge)
  elseif mask then s = add(s, mask) end
  return matmul(R.softmax.fn(s, -1), v)
end))
-- A loss of the difference of two, by its reduction.
local function loss(f)
  return through(function(x, y, reduction)
    local each = f(sub(x, y))
    return reduction == "none" and each or R[reduction or "mean"].fn(each)
  end)
end
derive("mse_loss", loss(function(d) return mul(d, d) end))
derive("l1_loss", loss(op "abs"))
derive("dropout glu rearrange einops_repeat einops_reduce cross_entropy nll_loss kl_div binary_cross_entropy_with_logits", "parts")
