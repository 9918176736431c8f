-- tl/host/nn.lua: what PyTorch keeps in torch.nn.functional: padding, norms, embeddings, losses.

local diag = require "moontile.diag"
local host = require "moontile.host"
local rt = require "moontile.tl.host.promote"
local rules = require("moontile.tl.tensor").rules
local tensor = require "moontile.tensor"
local registry = require "moontile.tl.host.registry"
local def, rows = registry.def, registry.rows

local text, float_of = rules.shape_text, rt.float_of

-- Padding ----------------------------------------------------------------------

-- Where the indices i of a padded dimension of n come from.
local sources = {
  replicate = function(i, n) return rows.clamp.fn(i, 0, n - 1) end,
  reflect = function(i, n) -- mirrored at both ends
    local left = rows.abs.fn(i)
    return (n - 1) - rows.abs.fn((n - 1) - left)
  end,
  circular = function(i, n) return rows.remainder.fn(i, n) end,
}

local function pad_dim(x, d, lo, hi, mode, value)
  local n, s = x.shape[d + 1], x.shape
  if lo == 0 and hi == 0 then return x end
  if n + lo + hi < 0 or mode == "reflect" and (lo >= n or hi >= n) or mode ~= "constant"
    and n == 0 then
    rt.wrong("tl.host.pad", "pad", ("within the extent %d of dimension %d"):format(n, d), lo
      .. ", " .. hi)
  end
  if mode ~= "constant" then
    return rows.index_select.fn(x, d, sources[mode](tensor.arange(-lo, n + hi, 1, "int64"), n))
  end
  s[d + 1] = n + lo + hi
  local out = tensor.new(s, x.dtype)
  if value and value ~= 0 then out:fill_(value) end
  local from, to = math.max(0, -lo), math.max(0, lo)
  local count = math.max(0, n - from - math.max(0, -hi))
  if count > 0 then rows.narrow.fn(out, d, to, count):copy_(rows.narrow.fn(x, d, from, count)) end
  return out
end

def {
  name = "pad", sig = 'pad(input, pad, mode="constant", value=None)',
  types = {pad = "dims", mode = "string"},
  en = 'padded at both ends of the last dimensions, {left, right, top, bottom, ..}; modes "constant", "replicate", "reflect", "circular"; negative numbers cut',
  zh = '在最后几维的两端填充，{左, 右, 上, 下, ..}；mode 为 "constant"、"replicate"、"reflect" 或 "circular"；负数为裁剪',
  ex = "print(tl.host.pad(t, {1, 1}))",
  fn = function(x, pad, mode, value)
    mode = mode or "constant"
    if mode ~= "constant" and not sources[mode] then
      rt.wrong("tl.host.pad", "mode", '"constant", "replicate", "reflect" or "circular"', mode)
    end
    pad = type(pad) == "table" and pad or {pad, pad}
    if #pad % 2 ~= 0 or #pad > 2 * x.ndim then
      rt.wrong("tl.host.pad", "pad", ("pairs for at most %d dimensions"):format(x.ndim), #pad
        .. " numbers")
    end
    local y = x
    for i = 1, #pad, 2 do y = pad_dim(y, x.ndim - (i + 1) // 2, pad[i], pad[i + 1], mode, value) end
    return y == x and x:clone() or y
  end,
}

-- Norms ------------------------------------------------------------------------------

-- The last #shape dimensions as one; shape a number or a list.
local function last_as_one(what, x, shape)
  shape = type(shape) == "table" and shape or {shape}
  local s, n = x.shape, 1
  for i, e in ipairs(shape) do
    if s[#s - #shape + i] ~= e then
      diag.fail("ops_shape", what, "input " .. text(x) .. ", normalized_shape ("
        .. table.concat(shape, ", ") .. ")", "")
    end
    n = n * e
  end
  local lead = table.move(s, 1, #s - #shape, 1, {})
  lead[#lead + 1] = n
  return x:reshape(lead), n
end

local function norm(what, x, shape, weight, bias, eps, root)
  local flat, n = last_as_one(what, x, shape)
  for name, t in pairs {weight = weight, bias = bias} do
    if t:numel() ~= n then diag.fail("ops_shape", what, "input " .. text(x) .. ", " .. name .. " "
      .. text(t), "") end
  end
  return host.norm(tensor.new(flat.shape, float_of(x.dtype)), flat, weight, bias, eps,
    root):reshape(x.shape)
end

def {
  name = "layer_norm",
  sig = "layer_norm(input, normalized_shape, weight=None, bias=None, eps=1e-05)",
  types = {normalized_shape = "dims"},
  en = "(x - mean) / sqrt(variance + eps) * weight + bias over the last dimensions",
  zh = "沿最后几维计算 (x - mean) / sqrt(variance + eps) * weight + bias",
  ex = "print(tl.host.layer_norm(x, 8))",
  fn = function(x, shape, weight, bias, eps) return norm("layer_norm", x, shape, weight, bias, eps
    or 1e-5, false) end,
}
def {
  name = "rms_norm", sig = "rms_norm(input, normalized_shape, weight=None, eps=None)",
  types = {normalized_shape = "dims"},
  en = "x / sqrt(mean(x^2) + eps) * weight over the last dimensions; eps is the dtype's spacing at 1 by default",
  zh = "沿最后几维计算 x / sqrt(mean(x^2) + eps) * weight；eps 默认为 dtype 在 1 处的间距",
  ex = "print(tl.host.rms_norm(x, 8, w))",
  fn = function(x, shape, weight, eps)
    return norm("rms_norm", x, shape, weight, nil, eps or rules.dtype_info(float_of(x.dtype)).eps,
      true)
  end,
}
def {
  name = "normalize", sig = "normalize(input, p=2.0, dim=1, eps=1e-12)", types = {dim = "dims"},
  en = "x over its p-norm along dimensions, which is eps at least", zh = "x 除以其沿若干维的 p 范数（至少为 eps）",
  ex = "print(tl.host.normalize(x))",
  fn = function(x, p, dim, eps)
    local n = rows.norm.fn(x:astype "float64", p or 2, dim or 1, true)
    return rt.elem("div", x.dtype, nil, nil, nil, x, rows.clamp_min.fn(n, eps or 1e-12))
  end,
}

-- Places as vectors ------------------------------------------------------------------------

def {
  name = "one_hot", sig = "one_hot(input, num_classes=-1)", types = {num_classes = "int"},
  en = "int64 vectors with a 1 at the place that each element says", zh = "在各元素所指位置为 1 的 int64 向量",
  ex = "print(tl.host.one_hot(tl.from_table {0, 2}, 3))",
  fn = function(x, n)
    if n == nil or n == -1 then n = x:max() + 1 end
    if x:numel() > 0 and (x:min() < 0 or x:max() >= n) then
      rt.wrong("tl.host.one_hot", "num_classes", "greater than every element", tostring(n))
    end
    return rows.eq.fn(x:unsqueeze(-1), tensor.arange(0, n, 1, "int64")):astype "int64"
  end,
}
def {
  name = "embedding", sig = "embedding(input, weight, padding_idx=None)",
  types = {padding_idx = "int"},
  en = "the rows of weight that the elements name", zh = "按元素取 weight 的行",
  ex = "print(tl.host.embedding(tl.from_table {0, 2}, x))",
  fn = function(x, weight)
    return host.at(weight, x.ndim == 0 and x:item() or {x:astype "int64"})
  end,
}
def {
  name = "dropout", sig = "dropout(input, p=0.5, training=True)", types = {training = "bool"},
  en = "elements set to 0 with probability p, the others divided by 1 - p; nothing without training",
  zh = "以概率 p 把元素置 0，其余除以 1 - p；training 为假时不变",
  ex = "print(tl.host.dropout(x, 0.5, false))",
  fn = function(x, p, training)
    p = p or 0.5
    if training == false or p == 0 then return x end
    if p >= 1 then return rows.mul.fn(x, 0) end
    local keep = rows.ge.fn(tensor.rand(x.shape, "float64"), p)
    return rows.where.fn(keep, rows.div.fn(x, 1 - p), 0)
  end,
}
def {
  name = "glu", sig = "glu(input, dim=-1)",
  en = "one half of a dimension times the sigmoid of the other", zh = "一维的前半乘以后半的 sigmoid",
  ex = "print(tl.host.glu(x))",
  fn = function(x, dim)
    local halves = rows.chunk.fn(x, 2, dim or -1)
    return rows.mul.fn(halves[1], rows.sigmoid.fn(halves[2]))
  end,
}

-- Losses ---------------------------------------------------------------------------------

local function reduced(what, loss, reduction, dtype)
  reduction = reduction or "mean"
  if reduction == "none" then return loss:astype(dtype) end
  if reduction ~= "mean" and reduction ~= "sum" and reduction ~= "batchmean" then
    rt.wrong("tl.host." .. what, "reduction", '"none", "mean" or "sum"', reduction)
  end
  if reduction == "batchmean" then
    return rows.div.fn(rows.sum.fn(loss), loss.shape[1] or 1):astype(dtype)
  end
  return rows[reduction].fn(loss):astype(dtype)
end

for name, d in pairs {mse_loss = {"the square of", "之差的平方",
  function(v) return rows.square.fn(v) end},
  l1_loss = {"the magnitude of", "之差的绝对值", function(v) return rows.abs.fn(v) end}} do
  def {
    name = name, sig = name .. '(input, target, *, reduction="mean")', types = {target = "tensor"},
    en = d[1] .. " input - target: its mean, its sum or all",
    zh = "input 与 target " .. d[2] .. "：平均、求和或逐元素", ex = ("print(tl.host.%s(x, w))"):format(name),
    fn = function(x, y, reduction)
      local diff = rt.elem("sub", "float64", 1, nil, nil, x, y)
      return reduced(name, d[3](diff), reduction, float_of(rt.result_type(x, y)))
    end,
  }
end
def {
  name = "kl_div", sig = 'kl_div(input, target, *, reduction="mean", log_target=False)',
  types = {target = "tensor", log_target = "bool"},
  en = "target (log(target) - input), for logarithms of probabilities as input",
  zh = "KL 散度：target (log(target) - input)，input 为概率的对数",
  ex = "print(tl.host.kl_div(tl.host.log_softmax(x, 1), tl.host.softmax(x, 1)))",
  fn = function(x, y, reduction, log_target)
    local a, b = x:astype "float64", y:astype "float64"
    local loss = log_target and rows.mul.fn(rows.exp.fn(b), b - a) or rows.xlogy.fn(b, b) - b * a
    return reduced("kl_div", loss, reduction, float_of(rt.result_type(x, y)))
  end,
}
def {
  name = "binary_cross_entropy_with_logits",
  sig = 'binary_cross_entropy_with_logits(input, target, weight=None, *, reduction="mean")',
  types = {target = "tensor"}, en = "the cross entropy of sigmoid(input) and target",
  zh = "sigmoid(input) 与 target 的交叉熵",
  ex = "print(tl.host.binary_cross_entropy_with_logits(w, tl.ones {8}))",
  fn = function(x, y, weight, reduction)
    local a, b = x:astype "float64", y:astype "float64"
    local loss = rows.neg.fn(b * rows.logsigmoid.fn(a) + (1 - b) * rows.logsigmoid.fn(rows.neg.fn(a)))
    return reduced("binary_cross_entropy_with_logits", weight and loss * weight or loss, reduction,
      float_of(rt.result_type(x, y)))
  end,
}

-- x [n, classes, ..] of logarithms, in float64; y [n, ..] of classes
local function nll(what, x, y, weight, ignore, reduction, dtype, smoothing)
  local d = x.ndim == 1 and 0 or 1
  local want = x.shape
  table.remove(want, d + 1)
  if "(" .. table.concat(want, ", ") .. ")" ~= text(y) then
    diag.fail("ops_shape", what, "input " .. text(x) .. ", target " .. text(y), "")
  end
  local skip = rows.eq.fn(y, ignore)
  local class = rows.masked_fill.fn(y:astype "int64", skip, 0)
  local loss = rows.neg.fn(rows.gather.fn(x, d, class:unsqueeze(d)):squeeze(d))
  local w = weight and rows.embedding.fn(class, weight:astype "float64") or tensor.new(y.shape,
    "float64"):fill_(1)
  loss = loss * w
  if smoothing and smoothing > 0 then
    local all = x
    if weight then
      local line = {}
      for k = 1, x.ndim do line[k] = k == d + 1 and weight:numel() or 1 end
      all = x * weight:reshape(line)
    end
    loss = loss * (1 - smoothing) + rows.sum.fn(rows.neg.fn(all), d) * (smoothing / x.shape[d + 1])
  end
  loss, w = rows.masked_fill.fn(loss, skip, 0), rows.masked_fill.fn(w, skip, 0)
  if reduction == nil or reduction == "mean" then
    return rows.div.fn(rows.sum.fn(loss), rows.sum.fn(w)):astype(dtype)
  end
  return reduced(what, loss, reduction, dtype)
end

def {
  name = "nll_loss",
  sig = 'nll_loss(input, target, weight=None, *, ignore_index=-100, reduction="mean")',
  types = {target = "tensor", ignore_index = "int"},
  en = "minus the logarithms of probabilities at the classes of target",
  zh = "target 所指类别的对数概率的相反数",
  ex = "print(tl.host.nll_loss(tl.host.log_softmax(x, 1), tl.arange(4)))",
  fn = function(x, y, weight, ignore, reduction)
    return nll("nll_loss", x:astype "float64", y, weight, ignore or -100, reduction,
      float_of(x.dtype))
  end,
}
def {
  name = "cross_entropy",
  sig = 'cross_entropy(input, target, weight=None, *, ignore_index=-100, reduction="mean", label_smoothing=0.0)',
  types = {target = "tensor", ignore_index = "int", label_smoothing = "number"},
  en = "the cross entropy of softmax(input) along the classes and target: classes, or probabilities",
  zh = "softmax(input) 与 target（类别或概率）的交叉熵", ex = "print(tl.host.cross_entropy(x, tl.arange(4)))",
  fn = function(x, y, weight, ignore, reduction, smoothing)
    local d = x.ndim == 1 and 0 or 1
    local logs = rows.log_softmax.fn(x, d, "float64")
    if not rt.isfloat(y.dtype) then
      return nll("cross_entropy", logs, y, weight, ignore or -100, reduction, float_of(x.dtype),
        smoothing)
    end
    local p = y:astype "float64"
    if smoothing and smoothing > 0 then p = p * (1 - smoothing) + smoothing / x.shape[d + 1] end
    local parts = rows.neg.fn(p * logs)
    if weight then
      local line = {}
      for k = 1, x.ndim do line[k] = k == d + 1 and weight:numel() or 1 end
      parts = parts * weight:reshape(line)
    end
    return reduced("cross_entropy", rows.sum.fn(parts, d), reduction, float_of(rt.result_type(x, y)))
  end,
}
def {
  name = "cosine_similarity", sig = "cosine_similarity(input, other, dim=1, eps=1e-08)",
  types = {other = "tensor"},
  en = "the cosine of the angle between two along a dimension", zh = "沿一维两者夹角的余弦",
  ex = "print(tl.host.cosine_similarity(x, x))",
  fn = function(a, b, dim, eps)
    local x, y = a:astype "float64", b:astype "float64"
    local function size(t) return rows.clamp_min.fn(rows.norm.fn(t, 2, dim or 1), eps or 1e-8) end
    return rows.div.fn(rows.sum.fn(x * y, dim or 1),
      size(x) * size(y)):astype(float_of(rt.result_type(a, b)))
  end,
}
