-- tl/host/reduce.lua: operators that make one element of many, and running ones.

local diag = require "moontile.diag"
local host = require "moontile.host"
local ondevice = require "moontile.tl.host.ondevice"
local rt = require "moontile.tl.host.promote"
local rules = require("moontile.tl.tensor").rules
local tensor = require "moontile.tensor"
local registry = require "moontile.tl.host.registry"
local def, alias = registry.def, registry.alias

local isfloat, float_of = rt.isfloat, rt.float_of

-- The reduced dimensions last, and what is left: the tensor, the shapes without and with them.
local function arrange(t, dims)
  local gone, order, kept, keep = {}, {}, {}, t.shape
  for _, d in ipairs(dims) do gone[d] = true end
  for d = 0, t.ndim - 1 do
    if not gone[d] then
      order[#order + 1] = d
      kept[#kept + 1] = keep[d + 1]
    else
      keep[d + 1] = 1
    end
  end
  for _, d in ipairs(dims) do order[#order + 1] = d end
  return t.ndim > 0 and t:permute(order) or t, kept, keep
end

-- t folded along dims (nil: all).  o: keepdim, dtype of the result, p, index: places too.
local function fold(op, t, dims, o)
  local list = rt.dims(t, dims)
  local x, kept, keep = arrange(t, list)
  local out = tensor.new(kept, o.dtype)
  local index = o.index and tensor.new(kept, "int64") or nil
  if not ondevice.fold(out, index, op, x, #list) then
    host.fold(out, index, op, x, #list, o.p)
  end
  if o.keepdim then
    out = out:reshape(keep)
    index = index and index:reshape(keep)
  end
  return out, index
end

local function refuse_empty(name, t, dims)
  for _, d in ipairs(rt.dims(t, dims)) do
    if t.shape[d + 1] == 0 then
      diag.fail("tensor_empty", name, rules.shape_text(t))
    end
  end
end

local function whole(dtype)
  return isfloat(dtype) and dtype or "int64"
end

-- name -> {operator, dtype of the result, English, Chinese}
local simple = {
  sum = {"sum", whole, "the sum", "求和"},
  mean = {"mean", float_of, "the mean", "平均值"},
  prod = {"prod", whole, "the product", "连乘积"},
  nansum = {"sum", whole, "the sum of all but NaN", "求和，忽略 NaN"},
}
for name, d in pairs(simple) do
  local op, dtype_of = d[1], d[2]
  def {
    name = name, sig = name .. "(input, dim=None, keepdim=False, *, dtype=None)", method = true,
    total = true,
    types = {dim = "dims"}, en = d[3] .. " along dimensions; without dim of all elements",
    zh = d[4] .. "（沿若干维；省略 dim 时对全部元素）", ex = ("print(tl.host.%s(x, 1))"):format(name),
    fn = function(x, dim, keepdim, dtype)
      local result = dtype or dtype_of(x.dtype)
      if dtype and not isfloat(dtype) and isfloat(x.dtype) then x = x:astype(dtype) end
      if name == "nansum" then x = registry.rows.nan_to_num.fn(x, 0, math.huge, -math.huge) end
      return (fold(op, x, dim, {keepdim = keepdim, dtype = result}))
    end,
  }
end

for _, name in ipairs {"any", "all"} do
  def {
    name = name, sig = name .. "(input, dim=None, keepdim=False)", method = true, total = true,
    types = {dim = "dims"},
    en = name == "any" and "whether any element is not 0, along dimensions or of all"
      or "whether all elements are not 0, along dimensions or of all",
    zh = name == "any" and "是否有元素非 0（沿若干维或对全部元素）" or "是否所有元素非 0（沿若干维或对全部元素）",
    ex = ("print(tl.host.%s(t:gt(5), 1))"):format(name),
    fn = function(x, dim, keepdim)
      -- of uint8 not bool: so PyTorch had it before there was bool
      return (fold(name, x, dim, {keepdim = keepdim, dtype = x.dtype == "uint8" and "uint8" or "bool"}))
    end,
  }
end

-- max(x), max(x, dim) -> values and places, max(x, other)
for name, d in pairs {max = {"maximum", "the largest", "最大值"}, min = {"minimum", "the smallest",
  "最小值"}} do
  def {
    name = name, sig = name .. "(input, dim=None, keepdim=False, *, other=None)", method = true,
    total = true,
    types = {dim = "any"},
    en = d[2] .. " along a dimension, and its places; of all elements without dim; with a tensor for dim "
      .. d[1] .. " of the two; NaN wins",
    zh = "沿一维的" .. d[3] .. "及其位置；省略 dim 时对全部元素；dim 为张量时即 " .. d[1] .. "；遇 NaN 得 NaN",
    ex = ("values, places = tl.host.%s(x, 1)   print(values, places)"):format(name),
    fn = function(x, dim, keepdim, other)
      if other ~= nil or tensor.istensor(dim) then
        return registry.rows[d[1]].fn(x, other or dim)
      end
      refuse_empty(name, x, dim)
      if dim == nil then
        return (fold(name, x, nil, {keepdim = keepdim, dtype = x.dtype}))
      end
      return fold(name, x, rt.dim(x, dim), {keepdim = keepdim, dtype = x.dtype, index = true})
    end,
  }
  def {
    name = "a" .. name, sig = "a" .. name .. "(input, dim=None, keepdim=False)", method = true,
    total = true,
    types = {dim = "dims"}, en = d[2] .. " along dimensions or of all elements; NaN wins",
    zh = "沿若干维或全部元素的" .. d[3] .. "；遇 NaN 得 NaN", ex = ("print(tl.host.a%s(x, 1))"):format(name),
    fn = function(x, dim, keepdim)
      refuse_empty("a" .. name, x, dim)
      return (fold(name, x, dim, {keepdim = keepdim, dtype = x.dtype}))
    end,
  }
  def {
    name = "arg" .. name, sig = "arg" .. name .. "(input, dim=None, keepdim=False)", method = true,
    total = true,
    en = "the place of " .. d[2]
      .. " along a dimension, the first of equals; without dim in row-major order of all",
    zh = "沿一维的" .. d[3] .. "的位置，相等时取第一个；省略 dim 时为全部元素按行的位置",
    ex = ("print(tl.host.arg%s(x, 1))"):format(name),
    fn = function(x, dim, keepdim)
      refuse_empty("arg" .. name, x, dim)
      return (fold("arg" .. name, x, dim, {keepdim = keepdim, dtype = "int64"}))
    end,
  }
end
for name, d in pairs {absmax = {"amax", "the largest magnitude", "绝对值的最大值"},
  abssum = {"sum", "the sum of magnitudes", "绝对值之和"}} do
  def {
    name = name, sig = name .. "(input, dim=None, keepdim=False)", method = true, total = true,
    types = {dim = "dims"}, en = d[2] .. " along dimensions or of all elements",
    zh = "沿若干维或全部元素的" .. d[3], ex = ("print(tl.host.%s(x, 1))"):format(name),
    fn = function(x, dim, keepdim)
      return registry.rows[d[1]].fn(registry.rows.abs.fn(x), dim, keepdim)
    end,
  }
end

def {
  name = "aminmax", sig = "aminmax(input, *, dim=None, keepdim=False)", method = true,
  en = "the smallest and the largest, along a dimension or of all elements",
  zh = "沿一维或全部元素的最小值与最大值", ex = "print(tl.host.aminmax(x))",
  fn = function(x, dim, keepdim)
    return registry.rows.amin.fn(x, dim, keepdim), registry.rows.amax.fn(x, dim, keepdim)
  end,
}

def {
  name = "count_nonzero", sig = "count_nonzero(input, dim=None)", method = true, total = true,
  types = {dim = "dims"}, en = "how many elements are not 0", zh = "非 0 元素的个数",
  ex = "print(tl.host.count_nonzero(t, 1))",
  fn = function(x, dim) return (fold("count", x, dim, {dtype = "int64"})) end,
}

def {
  name = "logsumexp", sig = "logsumexp(input, dim=None, keepdim=False)", method = true,
  total = true,
  types = {dim = "dims"}, en = "the logarithm of the sum of exp, along dimensions",
  zh = "沿若干维的 log(sum(exp(x)))，指数和的对数",
  ex = "print(tl.host.logsumexp(x, 1))",
  fn = function(x, dim, keepdim)
    return (fold("lse", x, dim, {keepdim = keepdim, dtype = float_of(x.dtype)}))
  end,
}

-- var(x, dim, unbiased, keepdim, {correction}); a boolean in dim's place is unbiased
local function spread(op)
  return function(x, dim, unbiased, keepdim, correction)
    if type(dim) == "boolean" then dim, unbiased = nil, dim end
    local p = correction or (unbiased == false and 0 or 1)
    return (fold(op, x, dim, {keepdim = keepdim, dtype = float_of(x.dtype), p = p}))
  end
end
for name, d in pairs {var = {"the variance", "方差"}, std = {"the standard deviation", "标准差"}} do
  def {
    name = name, sig = name .. "(input, dim=None, unbiased=True, keepdim=False, *, correction=1)",
    method = true,
    total = true, types = {dim = "any", correction = "number"},
    en = d[1] .. " along dimensions or of all elements, divided by n - correction",
    zh = "沿若干维或全部元素的" .. d[2] .. "，除以 n - correction",
    ex = ("print(tl.host.%s(x, 1))"):format(name),
    fn = spread(name),
  }
  def {
    name = name .. "_mean",
    sig = name .. "_mean(input, dim=None, unbiased=True, keepdim=False, *, correction=1)",
    types = {dim = "any", correction = "number"}, en = d[1] .. ", and the mean",
    zh = d[2] .. "与平均值",
    ex = ("print(tl.host.%s_mean(x, 1))"):format(name),
    fn = function(x, dim, unbiased, keepdim, correction)
      local d_ = dim
      if type(dim) == "boolean" then d_ = nil end
      return spread(name)(x, dim, unbiased, keepdim, correction), registry.rows.mean.fn(x, d_,
        keepdim)
    end,
  }
end

-- norm(x, p, dim): p a number, math.huge, -math.huge, "fro"
def {
  name = "norm", sig = 'norm(input, p=2, dim=None, keepdim=False, *, dtype=None)', method = true,
  total = true,
  types = {dim = "dims", p = "any"},
  en = "the p-norm along dimensions or of all elements; p may be math.huge",
  zh = "沿若干维或全部元素的 p 范数，p 可为 math.huge",
  ex = "print(tl.host.norm(x, 2, 1))",
  fn = function(x, p, dim, keepdim, dtype)
    local o = {keepdim = keepdim, dtype = dtype or float_of(x.dtype)}
    if p == "fro" or p == nil then p = 2 end
    if not math.type(p) then rt.wrong("tl.host.norm", "p", "number", tostring(p)) end
    if p == math.huge or p == -math.huge then
      return (fold(p > 0 and "max" or "min", registry.rows.abs.fn(x), dim, o))
    elseif p == 2 then return (fold("norm2", x, dim, o))
    elseif p == 1 then return (fold("abssum", x, dim, o))
    elseif p == 0 then return (fold("count", x, dim, o)) end
    local wide = fold("powers", x, dim, {keepdim = keepdim, dtype = "float64", p = p})
    return registry.rows.pow.fn(wide, 1 / p):astype(o.dtype)
  end,
}

def {
  name = "median", sig = "median(input, dim=None, keepdim=False)", method = true, total = true,
  en = "the median, the lower of two, along a dimension with its places, or of all elements",
  zh = "中位数（偶数个时取较小者）：沿一维并给出位置，或对全部元素", ex = "print(tl.host.median(x, 1))",
  fn = function(x, dim, keepdim)
    refuse_empty("median", x, dim)
    local flat = (dim == nil or x.ndim == 0) and x:reshape {-1} or x
    local d = dim == nil and 0 or rt.dim(x, dim)
    local values, index = registry.rows.sort.fn(flat, d)
    local n = flat.shape[d + 1]
    local v, i = values:narrow(d, (n - 1) // 2, 1), index:narrow(d, (n - 1) // 2, 1)
    if isfloat(x.dtype) then -- one NaN, the first, is the median; none is greater
      local largest, at = fold("max", flat, d, {keepdim = true, dtype = x.dtype, index = true})
      local bad = registry.rows.isnan.fn(largest)
      v, i = registry.rows.where.fn(bad, largest, v), registry.rows.where.fn(bad, at, i)
    end
    if dim == nil then return v:reshape {} end
    if x.ndim == 0 then return v:reshape {}, i:reshape {} end
    if keepdim then return v:contiguous(), i:contiguous() end
    return v:squeeze(d):contiguous(), i:squeeze(d):contiguous()
  end,
}

-- Running ------------------------------------------------------------------------------

local function scan(op, x, dim, dtype, places)
  local d = rt.dim(x, dim)
  local flat = x.ndim == 0 and x:reshape {1} or x
  local out = tensor.new(flat.shape, dtype)
  local index = places and tensor.new(flat.shape, "int64") or nil
  host.scan(out, index, op, flat, d)
  if x.ndim == 0 then return out:reshape {}, index and index:reshape {} end
  return out, index
end

for name, d in pairs {cumsum = {"sum", "running sums", "前缀和"}, cumprod = {"prod",
  "running products", "前缀积"}} do
  def {
    name = name, sig = name .. "(input, dim, *, dtype=None)", method = true, inplace = true,
    en = d[2] .. " along a dimension", zh = "沿一维的" .. d[3],
    ex = ("print(tl.host.%s(x, 1))"):format(name),
    fn = function(x, dim, dtype)
      return (scan(d[1], dtype and not isfloat(dtype) and x:astype(dtype) or x, dim, dtype
        or whole(x.dtype)))
    end,
  }
end
for name, d in pairs {cummax = {"max", "largest", "最大值"}, cummin = {"min", "smallest", "最小值"}} do
  def {
    name = name, sig = name .. "(input, dim)", method = true,
    en = ("the %s so far along a dimension, and its place, the last of equals"):format(d[2]),
    zh = ("沿一维到此为止的%s及其位置，相等时取最后一个"):format(d[3]), ex = ("print(tl.host.%s(x, 1))"):format(name),
    fn = function(x, dim) return scan(d[1], x, dim, x.dtype, true) end,
  }
end
def {
  name = "logcumsumexp", sig = "logcumsumexp(input, dim)", method = true,
  en = "logarithms of running sums of exp along a dimension", zh = "沿一维的指数前缀和的对数",
  ex = "print(tl.host.logcumsumexp(x, 1))",
  fn = function(x, dim) return (scan("lse", x, dim, float_of(x.dtype))) end,
}

-- Softmax ---------------------------------------------------------------------------------

for name, d in pairs {softmax = {"exp(x) over its sum along a dimension", "沿一维的 softmax"},
  log_softmax = {"the logarithm of softmax along a dimension", "沿一维的 softmax 的对数"}} do
  def {
    name = name, sig = name .. "(input, dim=None, *, dtype=None)", method = true, en = d[1],
    zh = d[2],
    ex = ("print(tl.host.%s(x, -1))"):format(name),
    fn = function(x, dim, dtype)
      local flat = x.ndim == 0 and x:reshape {1} or x
      -- without dim PyTorch takes 0 for 0, 1 and 3 dimensions, else 1
      local d_ = dim == nil and ((x.ndim == 0 or x.ndim == 1 or x.ndim == 3) and 0 or 1)
        or rt.dim(x, dim)
      local out = tensor.new(flat.shape, dtype or float_of(x.dtype))
      if rt.unseen() then return out:reshape(x.shape) end
      local logarithm = name == "log_softmax"
      return (ondevice.softmax(out, flat, d_, logarithm) or host.softmax(out, flat, d_, logarithm)):reshape(x.shape)
    end,
  }
end
def {
  name = "softmin", sig = "softmin(input, dim=None)", en = "softmax of -x",
  zh = "-x 的 softmax，小者得大权",
  ex = "print(tl.host.softmin(x, -1))",
  fn = function(x, dim) return registry.rows.softmax.fn(registry.rows.neg.fn(x), dim) end,
}
alias("special_logsumexp", "logsumexp")
