-- Derivatives of tl.host's operators against differences of the operators themselves, in float64, over shapes
-- that broadcast; then what is refused.
local tl = require "moontile.tl"
local H = tl.host
local registry = require "moontile.tl.host.registry"
tl.manual_seed(11)

-- Numbers away from 0 and from each other, between lo and hi.
local function numbers(shape, lo, hi)
  local t = tl.rand(shape, "float64") * (hi - lo) + lo
  return t
end

-- The derivatives of sum(f(inputs) * weights) by each input, by differences.
local function differences(f, inputs, weights)
  local h, grads = 1e-6, {}
  for i, x in ipairs(inputs) do
    local g = tl.zeros(x.shape, "float64")
    local flat, into = x:reshape {-1}, g:reshape {-1}
    for k = 0, x:numel() - 1 do
      local was, v = flat[k], {}
      for s, d in ipairs {h, -h} do
        flat[k] = was + d
        v[s] = (f(table.unpack(inputs)) * weights):sum()
      end
      flat[k], into[k] = was, (v[1] - v[2]) / (2 * h)
    end
    grads[i] = g
  end
  return grads
end

local count, bad = 0, 0

-- f of tensors of these shapes; range: of their values.
local function check(name, f, shapes, range)
  local lo, hi = 0.2, 1.7
  if range then lo, hi = range[1], range[2] end
  local inputs, leaves = {}, {}
  for i, s in ipairs(shapes) do
    inputs[i] = numbers(s, lo, hi)
    leaves[i] = inputs[i]:copy():requires_grad_()
  end
  local y = f(table.unpack(leaves))
  local weights = numbers(y.shape, -1, 1)
  if not y.requires_grad then
    print(name, "leaves no node")
    bad = bad + 1
    return
  end
  H.backward(y, weights)
  for i, want in ipairs(differences(f, inputs, weights)) do
    local got = leaves[i].grad
    count = count + 1
    local off = got and (got - want):absmax()
    if not got or off > 1e-5 * (1 + want:absmax()) or off ~= off then
      bad = bad + 1
      print(name, "input " .. i, got and off or "no gradient")
    end
  end
end

-- Of one input.
for name in ("neg abs square relu exp exp2 expm1 log log2 log10 log1p sqrt rsqrt reciprocal sin cos tan sinh cosh tanh \z
  atan asinh erf erfc sigmoid silu mish logsigmoid gelu softplus elu leaky_relu frac"):gmatch "%S+" do
  check(name, H[name], {{2, 3}}, name == "frac" and {0.1, 0.9} or nil)
end
for name in ("asin acos atanh"):gmatch "%S+" do check(name, H[name], {{5}}, {-0.9, 0.9}) end
check("acosh", H.acosh, {{5}}, {1.2, 3})
for name in ("relu silu gelu elu softplus leaky_relu tanh"):gmatch "%S+" do
  check(name .. " below 0", H[name], {{7}}, {-2, 2})
end
check("gelu tanh", function(x) return H.gelu(x, {approximate = "tanh"}) end, {{6}}, {-2, 2})

-- Of two, over shapes that broadcast.
local forms = {{{2, 3}, {2, 3}}, {{2, 3}, {3}}, {{2, 1}, {1, 3}}, {{3}, {2, 2, 3}}, {{}, {2}}, {{4}, {}}}
for name in ("add sub mul div pow maximum minimum fmax fmin atan2 hypot xlogy logaddexp fmod remainder"):gmatch "%S+" do
  for _, shapes in ipairs(forms) do check(name, H[name], shapes) end
end
check("add alpha", function(x, y) return H.add(x, y, {alpha = 2.5}) end, {{2, 3}, {3}})
check("numbers", function(x) return (2 - x) * 3 / x + x ^ 3 + 2 ^ x - -x end, {{4}})
check("where", function(x, y) return H.where(tl.from_table {true, false, true}, x, y) end, {{2, 3}, {1}})
check("masked_fill", function(x) return H.masked_fill(x, tl.from_table {true, false, true}, 2) end, {{2, 3}})
check("addcmul", H.addcmul, {{2, 3}, {3}, {2, 1}})
check("addcdiv", H.addcdiv, {{2, 3}, {3}, {2, 1}})
check("clamp", function(x) return H.clamp(x, 0.5, 1.2) end, {{9}})
check("clamp tensors", H.clamp, {{2, 3}, {3}, {1}})
check("clamp_min", function(x) return H.clamp_min(x, 0.7) end, {{9}})

-- Along dimensions.
for name in ("sum mean logsumexp amax amin"):gmatch "%S+" do
  check(name, H[name], {{2, 3}})
  check(name .. " 1", function(x) return H[name](x, 1) end, {{2, 3, 2}})
  check(name .. " {0, 2}", function(x) return H[name](x, {0, 2}, true) end, {{2, 3, 2}})
end
for name in ("softmax log_softmax cumsum cumprod prod var std norm normalize"):gmatch "%S+" do
  check(name, function(x) return name == "norm" and H.norm(x, 2, 1) or name == "normalize" and H.normalize(x) or H[name](x, 1) end,
    {{2, 3, 2}})
end
check("max", function(x) return (H.max(x, 1)) end, {{2, 3}})
check("min all", function(x) return H.min(x) end, {{2, 3}})
check("max two", function(x, y) return H.max(x, y) end, {{2, 3}, {3}})
check("sort", function(x) return (H.sort(x, 1, true)) end, {{2, 4}})
check("topk", function(x) return (H.topk(x, 2)) end, {{2, 4}})
check("norm 3", function(x) return H.norm(x, 3, 1, true) end, {{2, 3}})

-- Products.
for _, shapes in ipairs {{{2, 3}, {3, 4}}, {{3}, {3, 4}}, {{2, 3}, {3}}, {{3}, {3}}, {{2, 2, 3}, {3, 4}},
  {{2, 1, 2, 3}, {3, 3, 2}}, {{3}, {2, 3, 2}}, {{2, 2, 3}, {3}}} do
  check("matmul", H.matmul, shapes)
end
check("mm", H.mm, {{2, 3}, {3, 2}})
check("bmm", H.bmm, {{2, 2, 3}, {2, 3, 1}})
check("addmm", H.addmm, {{2}, {2, 3}, {3, 2}})
check("linear", H.linear, {{2, 2, 3}, {4, 3}, {4}})
check("outer", H.outer, {{2}, {3}})
check("kron", H.kron, {{2, 2}, {1, 3}})
for equation, shapes in pairs {["ij,jk->ik"] = {{2, 3}, {3, 2}}, ["bhqd,bhkd->bhqk"] = {{1, 2, 2, 3}, {1, 2, 2, 3}},
  ["ij->i"] = {{2, 3}}, ["ij,k->k"] = {{2, 3}, {2}}, ["...d,de->...e"] = {{2, 2, 3}, {3, 2}}, ["ij,jk,kl"] = {{2, 2}, {2, 3}, {3, 2}},
  ["a,ab,abc->c"] = {{2}, {2, 3}, {2, 3, 2}}} do
  check(equation, function(...) return H.einsum(equation, ...) end, shapes)
end
check("sdpa", function(q, k, v) return H.scaled_dot_product_attention(q, k, v, {is_causal = true}) end,
  {{1, 2, 3, 2}, {1, 2, 3, 2}, {1, 2, 3, 2}})

-- Running products of which some are 0.
check("cumprod 0", function(x) return H.cumprod(H.mul(x, tl.from_table {{1, 0, 1, 1}, {1, 1, 0, 0}, {0, 1, 1, 1}}), 1) end,
  {{3, 4}})
check("cumprod of dim 0", function(x) return H.cumprod(x, 0) end, {{3, 2}})
for zeros = 1, 2 do -- in x itself
  local x = tl.from_table({2.0, 0, 3, zeros == 2 and 0 or 5}, "float64"):requires_grad_()
  H.backward(H.sum(H.cumprod(x, 0)))
  print("cumprod", x.grad)
end

-- Convolutions.
for name, o in pairs {plain = {}, steps = {stride = {2, 1}, padding = {1, 2}, dilation = {1, 2}}, same = {padding = "same"},
  groups = {groups = 2, padding = 1}} do
  check("conv2d " .. name, function(x, w, b) return H.conv2d(x, w, b, next(o) and o or nil) end, {{2, 4, 5, 6}, {4, o.groups and 2 or 4, 3, 2}, {4}})
end
check("conv2d of one", H.conv2d, {{2, 4, 4}, {3, 2, 2, 2}})
check("conv1d", function(x, w) return H.conv1d(x, w, nil, {padding = 1, stride = 2}) end, {{2, 3, 7}, {2, 3, 3}})
check("dropout", function(x)
  tl.manual_seed(3)
  return H.dropout(x, 0.4)
end, {{3, 4}})

-- The same elements otherwise.
local moved = {
  reshape = function(x) return x:reshape {3, 4} end, view = function(x) return x:view(-1) end,
  flatten = function(x) return H.flatten(x, 1) end, unsqueeze = function(x) return x:unsqueeze(1) end,
  permute = function(x) return x:permute(2, 0, 1) end, transpose = function(x) return x:transpose(0, 2) end,
  T = function(x) return x:reshape({3, 4}).T end, narrow = function(x) return x:narrow(1, 1, 1) end,
  select = function(x) return H.select(x, 0, 1) end, flip = function(x) return H.flip(x, 0, 2) end,
  roll = function(x) return H.roll(x, 1, 1) end, tril = function(x) return H.tril(x:reshape {3, 4}) end,
  triu = function(x) return H.triu(x:reshape {3, 4}, 1) end, expand = function(x) return x:unsqueeze(0):expand {2, 3, 2, 2} end,
  ["repeat"] = function(x) return x:repeats(2, 1, 2, 1) end, tile = function(x) return H.tile(x, 2) end,
  interleave = function(x) return H.repeat_interleave(x, 2, 1) end,
  interleave_all = function(x) return H.repeat_interleave(x, 3) end,
  split = function(x) local l = H.split(x, 2, 0) return H.add(l[1][{0}], l[2][{0}]) end,
  chunk = function(x) return H.chunk(x, 3)[2] end, unbind = function(x) return H.mul(H.unbind(x)[1], H.unbind(x)[3]) end,
  cat = function(x) return H.cat({x, x * 2}, -1) end, stack = function(x) return H.stack({x, x * 3}, 1) end,
  rearrange = function(x) return H.rearrange(x, "a b c -> b (c a)") end,
  einops_repeat = function(x) return H.einops_repeat(x, "a b c -> a b c d", {d = 2}) end,
  einops_reduce = function(x) return H.einops_reduce(x, "a b c -> b c", "mean") end,
  index = function(x) return x[{1, tl.slice(0, 2)}] end, list = function(x) return x[{tl.from_table {2, 0, 2}}] end,
  mask = function(x) return x[{tl.from_table {true, false, true}}] end,
  newaxis = function(x) return x[{tl.newaxis, tl.ellipsis, 0}] end,
  gather = function(x) return H.gather(x:reshape {3, 4}, 1, tl.from_table {{0, 0}, {3, 1}, {2, 2}}) end,
  index_select = function(x) return H.index_select(x, 0, tl.from_table {1, 1, 2}) end,
  masked_select = function(x) return H.masked_select(x, tl.from_table {true, false}) end,
  pad = function(x) return H.pad(x, {1, 0, 0, 2}) end, clone = function(x) return H.clone(x):contiguous() end,
}
for name, f in pairs(moved) do check(name, f, {{3, 2, 2}}) end
check("scatter_add", function(x, y) return H.scatter_add(x, 0, tl.from_table {0, 2, 0}, y) end, {{3}, {3}})
check("index_add", function(x, y) return H.index_add(x, 0, tl.from_table {2, 2}, y) end, {{3, 2}, {2, 2}})
check("embedding", function(w) return H.embedding(tl.from_table {{0, 2}, {2, 1}}, w) end, {{3, 2}})
check("layer_norm", function(x, w, b) return H.layer_norm(x, {3}, w, b) end, {{2, 3}, {3}, {3}})
check("rms_norm", function(x, w) return H.rms_norm(x, {3}, w) end, {{2, 3}, {3}})
check("mse_loss", H.mse_loss, {{2, 3}, {2, 3}})
check("l1_loss", function(x, y) return H.l1_loss(x, y * 3, {reduction = "sum"}) end, {{2, 3}, {2, 3}})
check("cross_entropy", function(x) return H.cross_entropy(x, tl.from_table {0, 2}) end, {{2, 3}})
check("nll_loss", function(x) return H.nll_loss(H.log_softmax(x, 1), tl.from_table {1, 0}) end, {{2, 3}})

-- In place.
check("mul_", function(x, y) local t = x * 1 t:mul_(y) return t * t end, {{2, 3}, {3}})
check("masked_fill_", function(x) local t = x * 2 t:masked_fill_(tl.from_table {true, false, false}, 0) return t * t end, {{2, 3}})
check("copy_", function(x) local t = tl.zeros({2, 3}, "float64") t:copy_(x) return t * x end, {{3}})
check("t[k] = v", function(x, y) local t = x * 2 t[{0, tl.slice(0, 2)}] = y return t * t end, {{2, 3}, {2}})

-- A result that is used twice, a graph that is walked twice, gradients that add up.
local a = tl.from_table({2.0, 3.0}, "float64"):requires_grad_()
local b = a * a
local c = H.sum(b * b + b)
H.backward(c, nil, true)
H.backward(c)
print(a.grad)                                      --> 2 (4 a^3 + 2 a)
print(H.grad(H.sum(a * 5), {a})[1], a.grad)

-- float16 in, float16 gradients
local h = tl.ones({4}, "float16"):requires_grad_()
H.backward(H.sum(h:float() * 3))
print(h.grad.dtype, h.grad)

-- Formulas of several steps on halves: computed in float32, rounded once.
local function once(name, f, shapes)
  for _, dtype in ipairs {"float16", "bfloat16"} do
    local halves, wide, g = {}, {}, nil
    for i, s in ipairs(shapes) do
      halves[i] = tl.randn(s, dtype):requires_grad_()
      wide[i] = halves[i]:detach():float():requires_grad_()
    end
    local y = f(table.unpack(halves))
    g = tl.randn(y.shape, dtype)
    y:backward(g)
    f(table.unpack(wide)):backward(g:float())
    for i in ipairs(shapes) do
      if halves[i].grad.dtype ~= dtype or not H.equal(halves[i].grad, wide[i].grad:astype(dtype)) then
        print(name, dtype, i, "differs")
      end
    end
  end
end
once("layer_norm", function(x, w, b) return H.layer_norm(x, 64, w, b) end, {{8, 64}, {64}, {64}})
once("rms_norm", function(x, w) return H.rms_norm(x, 64, w, 1e-6) end, {{8, 64}, {64}})
for name in ("gelu silu mish softplus logsigmoid"):gmatch "%S+" do once(name, H[name], {{64}}) end
once("var", function(x) return H.var(x, 1) end, {{8, 64}})
once("normalize", function(x) return H.normalize(x, 2, 1) end, {{8, 64}})
once("mse_loss", H.mse_loss, {{64}, {64}})

local function refused(f, ...)
  local ok, e = pcall(f, ...)
  print(ok and "was not refused" or tostring(e.text or e):match "[^\n]*")
end
local leaf = tl.ones {3}:requires_grad_()
refused(function() leaf:mul_(2) end)
refused(function() H.backward(leaf * 2) end)
refused(function() H.backward(H.sum(tl.ones {3})) end)
refused(function() tl.arange(3):requires_grad_() end)
refused(function() H.backward(leaf * 2, tl.ones {2}) end)
refused(function() local s = H.sum(leaf * leaf) H.backward(s) H.backward(s) end)
refused(function() local e = H.exp(leaf) e:add_(1) H.backward(H.sum(e)) end)
refused(function() H.backward(H.sum(H.logcumsumexp(leaf, 0))) end)
refused(function() local t = leaf * 2 local v = t:reshape {3, 1} t:mul_(2) H.backward(H.sum(v * 1)) end)
refused(function() H.grad(H.sum(leaf), {tl.ones {3}:requires_grad_()}) end)
refused(function() leaf:numpy() end)
do
  local _ <close> = H.no_grad()
  leaf:mul_(2)
  print(leaf, (leaf * 2).requires_grad)
end
print(leaf:detach().requires_grad, H.sum(H.mul(leaf:detach(), leaf)).requires_grad)
local rows_with = 0
for _, row in pairs(registry.rows) do rows_with = rows_with + (row.grad and 1 or 0) end
print(count .. " derivatives, " .. bad .. " differ", rows_with > 100)
-- Forms of a tensor, and what is filled, are constants.
print(H.zeros_like(leaf).requires_grad, H.empty_like(leaf):normal_().requires_grad, (leaf * 2):fill_(1).requires_grad)
local f = leaf * 2
f:fill_(3)
H.backward(H.sum(f * leaf))
print(leaf.grad)
refused(function() leaf:fill_(0) end)
