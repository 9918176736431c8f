-- moontile.tl.ref: reference operators: slow, obviously right, and independent
-- of the compiler.  tl.ref.matmul(a, b) and so on.
--
-- Inputs have any dtype and any strides.  Everything is computed and summed in
-- float64; the result is a float64 tensor, or has the dtype given as {dtype =
-- "float16"}, rounded once.  The work is done in core/ref*.c; here are shapes,
-- defaults and messages.  Axes count from 0, or from the end when negative.

local tensor = require "moontile.tensor"
local core = require "moontile.ref"
local device = require "moontile.tl.device"
local diag = require "moontile.diag"
local suggest = require "moontile.base.suggest"
local place = require "moontile.base.place"
local rules = require("moontile.tl.tensor").rules

local M = {doc = {}}

local fail, check, text = diag.fail, rules.check, rules.shape_text

local zh = {
  neg = "-x", abs = "|x|", sign = "符号：-1、0 或 1", exp = "e 的 x 次方", exp2 = "2 的 x 次方",
  log = "自然对数", log2 = "以 2 为底的对数", sqrt = "平方根", rsqrt = "1 / sqrt(x)", sin = "正弦",
  cos = "余弦", tanh = "双曲正切", erf = "误差函数", floor = "向下取整", ceil = "向上取整",
  round = "舍入到最近，平局取偶", trunc = "向零取整", relu = "max(x, 0)，保留 NaN",
  sigmoid = "1 / (1 + exp(-x))", silu = "x sigmoid(x)", gelu = "x Phi(x)，用 erf 计算",
  gelu_tanh = "gelu 的 tanh 近似",
  add = "a + b", sub = "a - b", mul = "a * b", div = "a / b", pow = "a 的 b 次方",
  maximum = "较大者，遇 NaN 得 NaN", minimum = "较小者，遇 NaN 得 NaN",
  sum = "求和", mean = "平均值", prod = "连乘积", max = "最大值，遇 NaN 得 NaN",
  min = "最小值，遇 NaN 得 NaN", absmax = "绝对值的最大值", abssum = "绝对值之和",
  argmax = "最大值的位置，相等时取第一个",
  argmin = "最小值的位置，相等时取第一个",
  scale = "x 乘以数 s", clamp = "把 x 限制在两数之间", cumsum = "沿 axis 的前缀和",
  topk = "沿最后一轴最大的 k 个元素（由大到小）及其 int64 下标；相等时下标小者在前",
  matmul = "a [..., m, k] 乘以 b [..., k, n]；前面的维可广播；trans_a、trans_b 把矩阵当作其转置读取", gemv = "a [m, k] 乘以向量 x [k]，得 [m]",
  transpose = "交换两维", softmax = "沿 axis 的 softmax", log_softmax = "沿 axis 的 softmax 的对数",
  logsumexp = "沿 axis 的 log(sum(exp(x)))",
  rmsnorm = "沿最后一轴计算 x / sqrt(mean(x^2) + eps) * weight；weight 可为 nil",
  layernorm = "沿最后一轴计算 (x - mean) / sqrt(variance + eps) * weight + bias；weight、bias 可为 nil",
  attention = "注意力 softmax(scale q k^T) v；q [b, h, s, d]，k [b, hk, t, d]，v [b, hk, t, dv]，h 为 hk 的倍数"
    .. "（分组注意力）；layout \"bshd\" 交换 h 与 s；scale 默认 1/sqrt(d)；causal 时查询 i 只看到 "
    .. "i + t - s 及之前的键；lse 另返回 [b, h, s] 的 log-sum-exp",
  linear_attention = "o_t = scale q_t S_t，其中 S_t = decay_t S_(t-1) + k_t^T v_t（因果）；q、k [b, h, s, d]，"
    .. "v [b, h, s, dv]，decay [b, h, s]，省略时为 1；另返回最后的 S [b, h, d, dv]",
  conv2d = "二维互相关；x [n, c, h, w]，w [o, c / groups, kh, kw]，结果 [n, o, oh, ow]；layout 为 "
    .. "\"nhwc\" 时 x [n, h, w, c]，w [kh, kw, c / groups, o]；stride、padding、dilation 为数或 {行, 列}",
  conv1d = "一维互相关；x [n, c, w]，w [o, c / groups, kw]，结果 [n, o, ow]；layout 为 \"nwc\" 时 "
    .. "x [n, w, c]，w [kw, c / groups, o]",
  im2col = "把每个 kh x kw 窗口展开为一行：[n, oh * ow, kh * kw * c]，通道变化最快，越界处为 0；乘以 "
    .. "[kh * kw * c, o] 的滤波器即为卷积",
  dequantize_int4 = "由每字节两个的 4 位数还原；低四位在偶数列：packed [n, k / 2] 得 [n, k] = "
    .. "(数 - zero) * scale；scales 为 [n] 或 [n, k / group]；signed 时数为 -8 到 7，zero 为 0",
  quantize_fp8 = "逐行量化；x [..., k] 得 q 与 float32 的 scale [...] = max(|x|, 1e-4) / 448（该类型的最大值），"
    .. "q = x / scale；给出 group 时每 group 列一个 scale",
}

for _, name in ipairs {"sum", "mean", "prod", "max", "min", "absmax", "abssum", "argmax", "argmin"} do
  zh[name] = zh[name] .. "（沿 axis；省略 axis 时对全部元素，得数）"
end
for _, name in ipairs {"add", "sub", "mul", "div", "pow", "maximum", "minimum"} do
  zh[name] = "逐元素：" .. zh[name] .. "；形状自动广播，也可为数"
end

local function doc(name, sig, summary, example)
  M.doc["ref." .. name] = {sig = "ref." .. sig, summary = summary, summary_zh = zh[name],
    example = example}
end

local function options(name, given, known)
  known.dtype = true
  return rules.options("tl.ref." .. name, given, known)
end

-- A number among the options.
local function number(op, name, v, default)
  if v == nil then return default end
  if type(v) ~= "number" then fail("ref_arg", op, name, "number", type(v)) end
  return v
end

local function new(shape, o)
  return tensor.new(shape, o and o.dtype or "float64")
end

-- Fills out by core.OP, where somebody looks.  Under `moontile compile`, `check` and
-- `explain` the file's kernels read as zeros and nothing is compared with them: the products
-- that stand for them, seconds each at full size, stay zeros too.  (What is benched has its
-- inputs from the file, so there they are made.)
local function product(op, out, ...)
  return device.emit and not device.launched and out or core[op](out, ...)
end

-- Raises with the names and shapes of the tensors: shapes("matmul", "a", a, "b", b).
local function disagree(op, ...)
  local parts = {}
  for i = 1, select("#", ...), 2 do
    local name, t = select(i, ...)
    parts[#parts + 1] = name .. " " .. (type(t) == "string" and t or text(t))
  end
  fail("ref_shape", op, table.concat(parts, ", "))
end

local function rank(op, name, t, ...)
  check(t, name)
  for i = 1, select("#", ...) do
    if t.ndim == select(i, ...) then return end
  end
  fail("ref_arg", op, name, table.concat({...}, "-, ") .. "-D", text(t))
end

-- Elementwise -----------------------------------------------------------------------

local unaries = {
  neg = "-x", abs = "|x|", sign = "-1, 0 or 1", exp = "e to the x", exp2 = "2 to the x",
  log = "the natural logarithm", log2 = "the logarithm to base 2", sqrt = "the square root",
  rsqrt = "1 / sqrt(x)", sin = "the sine", cos = "the cosine", tanh = "the hyperbolic tangent",
  erf = "the error function", floor = "rounding down", ceil = "rounding up",
  round = "rounding to nearest, ties to even", trunc = "rounding towards zero",
  relu = "max(x, 0); NaN stays", sigmoid = "1 / (1 + exp(-x))", silu = "x sigmoid(x)",
  gelu = "x Phi(x), with erf", gelu_tanh = "gelu by its tanh approximation",
}
for op, what in pairs(unaries) do
  zh[op] = "逐元素：" .. zh[op]
  doc(op, op .. "(x, {dtype})", what .. ", for each element", "print(tl.ref." .. op .. "(x))")
  M[op] = function(x, opts)
    local o = options(op, opts, {})
    return core.unary(op, new(check(x).shape, o), x)
  end
end

local function number_tensor(v, name)
  if type(v) == "number" then return tensor.from_table(v, "float64") end
  return check(v, name)
end

local binaries = {
  add = "a + b", sub = "a - b", mul = "a * b", div = "a / b", pow = "a to the b",
  maximum = "the larger; NaN wins", minimum = "the smaller; NaN wins",
}
for op, what in pairs(binaries) do
  doc(op, op .. "(a, b, {dtype})", what .. ", for each element; shapes broadcast, numbers too",
    "print(tl.ref." .. op .. "(x, w))")
  M[op] = function(a, b, opts)
    local o = options(op, opts, {})
    a, b = number_tensor(a, "a"), number_tensor(b, "b")
    local shape = core.broadcast(a, b)
    if not shape then disagree(op, "a", a, "b", b) end
    return core.binary(op, new(shape, o), a, b)
  end
end

doc("scale", "scale(x, s, {dtype})", "x times the number s", "print(tl.ref.scale(x, 0.5))")
M.scale = M.mul

doc("clamp", "clamp(x, lo, hi, {dtype})", "x limited to a range", "print(tl.ref.clamp(x, 0, 6))")
function M.clamp(x, lo, hi, opts)
  return M.minimum(M.maximum(x, lo), hi, opts)
end

-- Reductions ------------------------------------------------------------------------

local reductions = {
  sum = "the sum", mean = "the mean", prod = "the product", max = "the maximum; NaN wins",
  min = "the minimum; NaN wins", absmax = "the largest magnitude",
  abssum = "the sum of magnitudes", argmax = "the index of the maximum, the first of equals",
  argmin = "the index of the minimum, the first of equals",
}
for op, what in pairs(reductions) do
  doc(op, op .. "(x, axis, {keepdim, dtype})",
    what .. " along axis; of all elements, as a number, without axis",
    "print(tl.ref." .. op .. "(x, -1))")
  M[op] = function(x, axis, opts)
    local o = options(op, opts, {keepdim = true})
    local default = op:sub(1, 3) == "arg" and "int64" or "float64"
    return rules.reduce(op, check(x), axis, o.keepdim, o.dtype or default)
  end
end

doc("cumsum", "cumsum(x, axis = -1, {reverse, exclusive, dtype})", "running sums along axis",
  "print(tl.ref.cumsum(x, 0))")
function M.cumsum(x, axis, opts)
  local o = options("cumsum", opts, {reverse = true, exclusive = true})
  local d = rules.axis_arg(check(x), axis or -1)
  return core.cumsum(new(x.shape, o), x, d, o.reverse, o.exclusive)
end

doc("topk", "topk(x, k, {largest = true, dtype})",
  "the k largest along the last axis, descending, and their int64 indices; equal values by "
    .. "ascending index", "values, places = tl.ref.topk(x, 2)")
function M.topk(x, k, opts)
  local o = options("topk", opts, {largest = true})
  local shape = check(x).shape
  local n = shape[#shape] or 0
  if math.type(k) ~= "integer" or k < 0 or k > n then
    fail("ref_arg", "topk", "k", "0 .. " .. n, tostring(k))
  end
  shape[#shape] = k
  return core.topk(new(shape, o), tensor.new(shape, "int64"), x, k, o.largest ~= false)
end

-- Products ----------------------------------------------------------------------------

-- x as [batch, rows, columns], its leading dimensions expanded to `lead`.
local function batched(x, lead)
  local shape = x.shape
  local full = table.move(lead, 1, #lead, 1, {})
  full[#full + 1] = shape[#shape - 1]
  full[#full + 1] = shape[#shape]
  local batch = 1
  for _, e in ipairs(lead) do batch = batch * e end
  return x:expand(full):reshape {batch, shape[#shape - 1], shape[#shape]}
end

local function leading(t)
  return table.move(t.shape, 1, t.ndim - 2, 1, {})
end

doc("matmul", "matmul(a, b, {trans_a, trans_b, dtype})",
  "a [..., m, k] times b [..., k, n] = [..., m, n]; leading dimensions broadcast; trans_a and "
  .. "trans_b read a matrix as its transpose", "print(tl.ref.matmul(a, b, {trans_b = true}))")
function M.matmul(a, b, opts)
  local o = options("matmul", opts, {trans_a = true, trans_b = true})
  for name, t in pairs {a = check(a, "a"), b = check(b, "b")} do
    if t.ndim < 2 then fail("ref_arg", "matmul", name, "at least 2-D", text(t)) end
  end
  local x, y = o.trans_a and a:transpose(-2, -1) or a, o.trans_b and b:transpose(-2, -1) or b
  local m, k, n = x.shape[x.ndim - 1], x.shape[x.ndim], y.shape[y.ndim]
  local lead = core.broadcast(tensor.new(leading(x), "bool"), tensor.new(leading(y), "bool"))
  if y.shape[y.ndim - 1] ~= k or not lead then
    disagree("matmul", "a", text(a) .. (o.trans_a and "ᵀ" or ""),
      "b", text(b) .. (o.trans_b and "ᵀ" or ""))
  end
  local p, q = batched(x, lead), batched(y, lead)
  local out = product("matmul", new({p.shape[1], m, n}, o), p, q)
  lead[#lead + 1], lead[#lead + 2] = m, n
  return out:reshape(lead)
end

doc("gemv", "gemv(a, x, {trans, dtype})", "a [m, k] times the vector x [k] = [m]",
  "print(tl.ref.gemv(x, w))")
function M.gemv(a, x, opts)
  local o = options("gemv", opts, {trans = true})
  rank("gemv", "a", a, 2)
  rank("gemv", "x", x, 1)
  local y = o.trans and a.T or a
  if y.shape[2] ~= x.shape[1] then disagree("gemv", "a", a, "x", x) end
  return M.matmul(y, x:unsqueeze(1), {dtype = o.dtype}):flatten()
end

doc("transpose", "transpose(x, d0 = -2, d1 = -1, {dtype})", "x with two dimensions swapped",
  "print(tl.ref.transpose(x))")
function M.transpose(x, d0, d1, opts)
  local o = options("transpose", opts, {})
  local t = check(x):transpose(d0 or -2, d1 or -1)
  return new(t.shape, o):copy_(t)
end

-- Softmax and norms ---------------------------------------------------------------------

local softmaxes = {
  softmax = "exp(x - max) / its sum", log_softmax = "x - max - log of the sum",
}
for op, what in pairs(softmaxes) do
  doc(op, op .. "(x, axis = -1, {dtype})", what .. ", along axis", "print(tl.ref." .. op .. "(x, -1))")
  M[op] = function(x, axis, opts)
    local o = options(op, opts, {})
    local d = rules.axis_arg(check(x), axis or -1)
    return core.softmax(new(x.shape, o), x, d, op == "log_softmax")
  end
end

-- A weight or bias must be as long as the last axis of x.
local function affine(op, name, w, x)
  if w == nil then return end
  rank(op, name, w, 1)
  if w.shape[1] ~= x.shape[x.ndim] then disagree(op, "x", x, name, w) end
end

doc("rmsnorm", "rmsnorm(x, weight, {eps = 1e-6, dtype})",
  "x / sqrt(mean(x^2) + eps) * weight over the last axis; weight may be nil",
  "print(tl.ref.rmsnorm(x, w))")
function M.rmsnorm(x, weight, opts)
  local o = options("rmsnorm", opts, {eps = true})
  if check(x, "x").ndim == 0 then fail("ref_arg", "rmsnorm", "x", "at least 1-D", text(x)) end
  affine("rmsnorm", "weight", weight, x)
  return core.norm(new(x.shape, o), x, weight, nil, number("rmsnorm", "eps", o.eps, 1e-6), false)
end

doc("layernorm", "layernorm(x, weight, bias, {eps = 1e-5, dtype})",
  "(x - mean) / sqrt(variance + eps) * weight + bias over the last axis; weight and bias may "
  .. "be nil", "print(tl.ref.layernorm(x, w))")
function M.layernorm(x, weight, bias, opts)
  local o = options("layernorm", opts, {eps = true})
  if check(x, "x").ndim == 0 then fail("ref_arg", "layernorm", "x", "at least 1-D", text(x)) end
  affine("layernorm", "weight", weight, x)
  affine("layernorm", "bias", bias, x)
  local eps = number("layernorm", "eps", o.eps, 1e-5)
  return core.norm(new(x.shape, o), x, weight, bias, eps, true)
end

-- Attention -----------------------------------------------------------------------------

-- Layout "bhsd" as it is, "bshd" with heads and positions exchanged.
local function heads_first(op, layout, t)
  if layout == nil or layout == "bhsd" then return t end
  if layout == "bshd" then return t:transpose(1, 2) end
  fail("ref_arg", op, "layout", '"bhsd" or "bshd"', tostring(layout))
end

local function attention_inputs(op, q, k, v, layout)
  for i, t in ipairs {q or 0, k or 0, v or 0} do rank(op, ("qkv"):sub(i, i), t, 4) end
  local a, b, c = heads_first(op, layout, q), heads_first(op, layout, k), heads_first(op, layout, v)
  local sa, sb, sc = a.shape, b.shape, c.shape
  local ok = sa[1] == sb[1] and sb[1] == sc[1] and sb[2] == sc[2] and sb[3] == sc[3]
    and sa[4] == sb[4] and sb[2] > 0 and sa[2] % sb[2] == 0
  if not ok then disagree(op, "q", q, "k", k, "v", v) end
  return a, b, c
end

doc("attention", "attention(q, k, v, {causal, scale, layout = \"bhsd\", lse, dtype})",
  "softmax(scale q k^T) v; q [b, h, s, d], k [b, hk, t, d], v [b, hk, t, dv] with h a multiple "
  .. "of hk (grouped heads); layout \"bshd\" exchanges h and s; scale is 1/sqrt(d) by default; "
  .. "causal lets query i see keys up to i + t - s; lse also returns [b, h, s] log-sum-exp",
  "q = tl.randn {1, 2, 8, 4}\nprint(tl.ref.attention(q, q, q, {causal = true}))")
function M.attention(q, k, v, opts)
  local o = options("attention", opts,
    {causal = true, is_causal = true, scale = true, layout = true, lse = true})
  local a, b, c = attention_inputs("attention", q, k, v, o.layout)
  local s = a.shape
  local lse = o.lse and tensor.new({s[1], s[2], s[3]}, "float64") or nil
  local out = product("attention", new({s[1], s[2], s[3], c.shape[4]}, o), lse, a, b, c,
    number("attention", "scale", o.scale, s[4] ^ -0.5), o.causal or o.is_causal)
  out = heads_first("attention", o.layout, out)
  return o.layout == "bshd" and out:contiguous() or out, lse
end

doc("linear_attention",
  "linear_attention(q, k, v, {scale = 1, decay, layout = \"bhsd\", dtype})",
  "o_t = scale q_t S_t with S_t = decay_t S_(t-1) + k_t^T v_t (causal); q, k [b, h, s, d], "
  .. "v [b, h, s, dv], decay [b, h, s] or nil for 1; also returns the last S, [b, h, d, dv]",
  "q = tl.randn {1, 2, 8, 4}\no, state = tl.ref.linear_attention(q, q, q)")
function M.linear_attention(q, k, v, opts)
  local o = options("linear_attention", opts, {scale = true, decay = true, layout = true})
  local op = "linear_attention"
  local a, b, c = attention_inputs(op, q, k, v, o.layout)
  local s, g = a.shape, o.decay
  if text(a) ~= text(b) then disagree(op, "q", q, "k", k, "v", v) end
  if type(g) == "number" then g = tensor.new({s[1], s[2], s[3]}, "float64"):fill_(g) end
  if g and o.layout == "bshd" then g = g:transpose(1, 2) end
  if g and text(g) ~= text(tensor.new({s[1], s[2], s[3]}, "bool")) then
    disagree(op, "q", q, "decay", o.decay)
  end
  local state = tensor.new({s[1], s[2], s[4], c.shape[4]}, "float64")
  local out = product("linear_attention", new(c.shape, o), state, a, b, c, g,
    number(op, "scale", o.scale, 1))
  out = heads_first(op, o.layout, out)
  return o.layout == "bshd" and out:contiguous() or out, state
end

-- Convolution ----------------------------------------------------------------------------

local beyond = 1 << 20 -- of strides, paddings and dilations
local conv_options = {"stride", "padding", "dilation", "groups", "layout", "bias"}

local function pair(op, name, v, default, least)
  local p = type(v) == "table" and v or {v or default, v or default}
  for i = 1, 2 do
    if math.type(p[i]) ~= "integer" or p[i] < least or p[i] >= beyond then
      fail("ref_arg", op, name, least .. " .. " .. beyond - 1, tostring(p[i]))
    end
  end
  return {p[1], p[2]}
end

local function conv_params(op, opts)
  local known = {}
  for _, k in ipairs(conv_options) do known[k] = true end
  local o = options(op, opts, known)
  local groups = o.groups or 1
  if math.type(groups) ~= "integer" or groups < 1 then
    fail("ref_arg", op, "groups", ">= 1", tostring(groups))
  end
  return o, {
    stride = pair(op, "stride", o.stride, 1, 1),
    padding = pair(op, "padding", o.padding, 0, 0),
    dilation = pair(op, "dilation", o.dilation, 1, 1),
    groups = groups,
  }
end

local function extent(p, side, n, k)
  local room = n + 2 * p.padding[side] - p.dilation[side] * (k - 1) - 1
  return room < 0 and 0 or room // p.stride[side] + 1
end

-- NCHW views of data and filter.
local function channels_first(op, layout, x, w)
  if layout == nil or layout == "nchw" then return x, w end
  if layout == "nhwc" then return x:permute(0, 3, 1, 2), w and w:permute(3, 2, 0, 1) end
  fail("ref_arg", op, "layout", '"nchw" or "nhwc"', tostring(layout))
end

doc("conv2d", "conv2d(x, w, {stride, padding, dilation, groups, bias, layout = \"nchw\", dtype})",
  "cross-correlation; x [n, c, h, w], w [o, c / groups, kh, kw] -> [n, o, oh, ow]; with layout "
  .. "\"nhwc\" x [n, h, w, c], w [kh, kw, c / groups, o] -> [n, oh, ow, o]; stride, padding and "
  .. "dilation are numbers or {rows, columns}", "print(tl.ref.conv2d(tl.randn {1, 3, 8, 8}, tl.randn {4, 3, 3, 3}, {padding = 1}))")
function M.conv2d(x, w, opts)
  local o, p = conv_params("conv2d", opts)
  rank("conv2d", "x", x, 4)
  rank("conv2d", "w", w, 4)
  local a, f = channels_first("conv2d", o.layout, x, w)
  local s, k = a.shape, f.shape
  if s[2] ~= k[2] * p.groups or k[1] % p.groups ~= 0 then
    disagree("conv2d", "x", x, "w", w)
  end
  affine("conv2d", "bias", o.bias, f:permute(1, 2, 3, 0))
  local out = new({s[1], k[1], extent(p, 1, s[3], k[3]), extent(p, 2, s[4], k[4])}, o)
  product("conv2d", out, a, f, o.bias, p)
  return o.layout == "nhwc" and out:permute(0, 2, 3, 1):contiguous() or out
end

-- One number for the columns; rows stay as they are.
local function columns(v, rows)
  return v ~= nil and {rows, v} or nil
end

doc("conv1d", "conv1d(x, w, {stride, padding, dilation, groups, bias, layout = \"ncw\", dtype})",
  "cross-correlation; x [n, c, w], w [o, c / groups, kw] -> [n, o, ow]; with layout \"nwc\" "
  .. "x [n, w, c], w [kw, c / groups, o] -> [n, ow, o]", "print(tl.ref.conv1d(tl.randn {1, 3, 16}, tl.randn {4, 3, 5}, {padding = 2}))")
function M.conv1d(x, w, opts)
  local o = conv_params("conv1d", opts)
  rank("conv1d", "x", x, 3)
  rank("conv1d", "w", w, 3)
  local last = o.layout == "nwc"
  if o.layout and not last and o.layout ~= "ncw" then
    fail("ref_arg", "conv1d", "layout", '"ncw" or "nwc"', tostring(o.layout))
  end
  local y = M.conv2d(x:unsqueeze(last and 1 or 2), w:unsqueeze(last and 0 or 2), {
    stride = columns(o.stride, 1), padding = columns(o.padding, 0),
    dilation = columns(o.dilation, 1), groups = o.groups, bias = o.bias, dtype = o.dtype,
    layout = last and "nhwc" or "nchw",
  })
  return y:squeeze(last and 1 or 2)
end

doc("im2col", "im2col(x, {kh, kw}, {stride, padding, dilation, layout = \"nchw\", dtype})",
  "every place of a kh x kw window as a row: [n, oh * ow, kh * kw * c], channels fastest, zeros "
  .. "outside; times the filter as [kh * kw * c, o] it is the convolution",
  "print(tl.ref.im2col(tl.randn {1, 3, 8, 8}, {3, 3}, {padding = 1}))")
function M.im2col(x, kernel, opts)
  local o, p = conv_params("im2col", opts)
  rank("im2col", "x", x, 4)
  local k = pair("im2col", "kernel", kernel, nil, 1)
  local a = channels_first("im2col", o.layout, x)
  local s = a.shape
  local rows = extent(p, 1, s[3], k[1]) * extent(p, 2, s[4], k[2])
  return core.im2col(new({s[1], rows, k[1] * k[2] * s[2]}, o), a, k[1], k[2], p)
end

-- Quantisation -----------------------------------------------------------------------------

doc("dequantize_int4", "dequantize_int4(packed, {scales, group, zero = 8, signed, dtype})",
  "4-bit numbers, two to a byte, low nibble at the even column: packed [n, k / 2] -> [n, k] = "
  .. "(nibble - zero) * scale; scales [n] or [n, k / group]; signed reads nibbles as -8 .. 7 "
  .. "and takes zero = 0", "packed = tl.randint(0, 256, {4, 64}, \"uint8\")\n"
  .. "print(tl.ref.dequantize_int4(packed, {scales = tl.ones {4, 1}, group = 128}))")
function M.dequantize_int4(packed, opts)
  local op = "dequantize_int4"
  local o = options(op, opts, {scales = true, group = true, zero = true, signed = true})
  rank(op, "packed", packed, 2)
  local d = packed.dtype
  if d ~= "uint8" and d ~= "int8" then fail("ref_arg", op, "packed", "uint8 or int8", d) end
  local n, k = packed.shape[1], 2 * packed.shape[2]
  local scales, group = o.scales, o.group or 0
  if math.type(group) ~= "integer" or group < 0 then
    fail("ref_arg", op, "group", ">= 1", tostring(group))
  end
  if scales then
    rank(op, "scales", scales, 1, 2)
    if scales.ndim == 1 then scales = scales:unsqueeze(1) end
    if group == 0 and scales.shape[2] > 0 then
      group = (k + scales.shape[2] - 1) // scales.shape[2]
    end
    local groups = group > 0 and (k + group - 1) // group or 1
    if scales.shape[1] ~= n or scales.shape[2] ~= groups then
      disagree(op, "packed", packed, "scales", o.scales)
    end
  end
  return core.dequant4(new({n, k}, o), packed, scales, group,
    number(op, "zero", o.zero, o.signed and 0 or 8), o.signed)
end

doc("quantize_fp8", "quantize_fp8(x, {group, dtype = \"float8_e4m3fn\"})",
  "per-token quantisation: x [..., k] -> q and float32 scales [...] = max(|x|, 1e-4) / 448 (the "
  .. "dtype's largest value), q = x / scale; with group, one scale for each `group` columns: "
  .. "[..., k / group]", "q, scale = tl.ref.quantize_fp8(x)")
function M.quantize_fp8(x, opts)
  local op = "quantize_fp8"
  local o = options(op, opts, {group = true})
  if check(x, "x").ndim == 0 then fail("ref_arg", op, "x", "at least 1-D", text(x)) end
  local dtype = o.dtype or "float8_e4m3fn"
  local shape = x.shape
  local k = shape[#shape]
  local group = o.group or k
  if math.type(group) ~= "integer" or group < 1 or k % group ~= 0 then
    fail("ref_arg", op, "group", "a divisor of " .. k, tostring(group))
  end
  shape[#shape] = k // group
  shape[#shape + 1] = group
  local y = x:reshape(shape)
  local most = rules.dtype_info(dtype).max
  local scale = M.div(M.maximum(M.absmax(y, -1), 1e-4), most, {dtype = "float32"})
  local q = M.div(y, scale:unsqueeze(-1), {dtype = dtype}):reshape(x.shape)
  return q, o.group and scale or scale:squeeze(-1)
end

-- A misspelled operator: the nearest name.
return setmetatable(M, {
  __index = function(t, k)
    local names = {}
    for name in pairs(t) do names[#names + 1] = name end
    local n = type(k) == "string" and k:sub(1, 2) ~= "__" and suggest.find(k, names)
    if n then place.fail(k, "tl_near", "ref." .. k, "ref." .. n) end
    return nil
  end,
})
