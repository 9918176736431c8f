-- tl/host/select.lua: elements chosen by the elements of other tensors: by place, by mask, by order.

local diag = require "moontile.diag"
local host = require "moontile.host"
local rt = require "moontile.tl.host.promote"
local rules = require("moontile.tl.tensor").rules
local stage = require "moontile.stage"
local tensor = require "moontile.tensor"
local registry = require "moontile.tl.host.registry"
local def, alias, rows = registry.def, registry.alias, registry.rows

local text = rules.shape_text

local function integers(what, index)
  if rt.isfloat(index.dtype) or index.dtype == "bool" then
    diag.fail("ops_dtype", what, index.dtype, "", "int64")
  end
end

-- The key that is index in dimension d and everything in those before it.
local function key_at(d, index)
  local key = {}
  for i = 1, d do key[i] = stage.slice() end
  key[d + 1] = index
  return key
end

-- Along a dimension ----------------------------------------------------------------

-- index has to have x's dimensions, none of them longer but that of dim.
local function covers(what, x, d, index, src)
  integers(what, index)
  local a, b = x.shape, index.shape
  local ok = #a == #b
  for k = 1, #a do ok = ok and (k == d + 1 or b[k] <= a[k]) end
  if src then
    local s = src.shape
    for k = 1, #b do ok = ok and s[k] and b[k] <= s[k] end
  end
  if not ok then
    diag.fail("ops_shape", what, "input " .. text(x) .. ", index " .. text(index)
      .. (src and ", src " .. text(src) or ""), "")
  end
end

def {
  name = "gather", sig = "gather(input, dim, index)", method = true,
  en = "out[i][j] = input[index[i][j]][j] for dim 0, and so on",
  zh = "沿 dim 按下标取元素：dim 为 0 时 out[i][j] = input[index[i][j]][j]",
  ex = "print(tl.host.gather(t, 1, tl.zeros({3, 1}, \"int64\")))",
  fn = function(x, dim, index)
    local d = rt.dim(x, dim)
    if x.ndim == 0 then return rows.gather.fn(x:reshape {1}, 0,
      index:reshape {-1}):reshape(index.shape) end
    covers("gather", x, d, index)
    return host.gather(tensor.new(index.shape, x.dtype), x, d, index)
  end,
}
def {
  name = "take_along_dim", sig = "take_along_dim(input, indices, dim=None)", method = true,
  types = {indices = "tensor"},
  en = "as gather, the other dimensions broadcast", zh = "同 gather，其余各维广播",
  ex = "print(tl.host.take_along_dim(t, t:argsort(1), 1))",
  fn = function(x, index, dim)
    if dim == nil then return rows.gather.fn(x:reshape {-1}, 0, index:reshape {-1}) end
    local d = rt.dim(x, dim)
    local a, b = x.shape, index.shape
    for k = 1, #a do
      if k ~= d + 1 and b[k] then
        local e = a[k] == 1 and b[k] or a[k]
        a[k], b[k] = e, b[k] == 1 and e or b[k]
      end
    end
    return rows.gather.fn(rows.expand.fn(x, a), d, rows.expand.fn(index, b))
  end,
}

local reduces = {sum = "add", add = "add", prod = "mul", multiply = "mul", amax = "max",
  amin = "min"}

-- x with src put at index along dim; src a tensor or a number.
local function scatter(what, x, dim, index, src, how)
  local d = rt.dim(x, dim)
  covers(what, x, d, index, tensor.istensor(src) and src or nil)
  if not tensor.istensor(src) then
    src = rows.expand.fn(rt.scalar(src, x.dtype, true):astype(x.dtype), index.shape)
  else
    if src.dtype ~= x.dtype then
      diag.fail("ops_dtype", what, ("src of %s for input of %s"):format(src.dtype, x.dtype), "",
        x.dtype)
    end
    for k, e in ipairs(index.shape) do src = rows.narrow.fn(src, k - 1, 0, e) end
  end
  return host.scatter(x, how, d, index, src)
end

def {
  name = "scatter", sig = "scatter(input, dim, index, src=None, *, value=None, reduce=None)",
  method = true, inplace = "own",
  types = {src = "operand", reduce = "string"},
  en = "a copy with out[index[i][j]][j] = src[i][j] for dim 0, and so on; src may be a number",
  zh = "副本，其中 dim 为 0 时 out[index[i][j]][j] = src[i][j]；src 可为数",
  ex = "print(tl.host.scatter(t, 1, tl.zeros({3, 1}, \"int64\"), 9))",
  fn = function(x, dim, index, src, value, reduce)
    return rows.scatter_.fn(x:clone(), dim, index, src, value, reduce)
  end,
}
def {
  name = "scatter_", sig = "scatter_(input, dim, index, src=None, *, value=None, reduce=None)",
  method = true,
  types = {src = "operand", reduce = "string"}, en = "as scatter, in the tensor itself",
  zh = "同 scatter，直接写入张量",
  ex = "print(tl.host.scatter_(tl.zeros {2, 3}, 1, tl.ones({2, 1}, \"int64\"), 9))",
  fn = function(x, dim, index, src, value, reduce)
    if src == nil then src = value end
    if src == nil then rt.wrong("tl.host.scatter", "src", "a tensor or a number", "nothing") end
    local how = reduce == nil and "set" or reduces[reduce]
    if not how then rt.wrong("tl.host.scatter", "reduce", '"add" or "multiply"', reduce) end
    return scatter("scatter", x, dim, index, src, how)
  end,
}
for name, own in pairs {scatter_add = false, scatter_add_ = true} do
  def {
    name = name, sig = name .. "(input, dim, index, src)", method = true, inplace = "own",
    types = {src = "operand"},
    en = own and "as scatter_add, in the tensor itself"
      or "as scatter, but src is added to what is there",
    zh = own and "同 scatter_add，直接写入张量" or "同 scatter，但把 src 加到原值上",
    ex = ("print(tl.host.%s(tl.zeros {2, 3}, 1, tl.ones({2, 1}, \"int64\"), tl.ones {2, 1}))"):format(name),
    fn = function(x, dim, index, src) return scatter(name, own and x or x:clone(), dim, index, src,
      "add") end,
  }
end
for name, own in pairs {scatter_reduce = false, scatter_reduce_ = true} do
  def {
    name = name, sig = name .. '(input, dim, index, src, reduce, *, include_self=True)',
    method = true, inplace = "own",
    types = {src = "tensor", reduce = "string", include_self = "bool"},
    en = (own and "as scatter_reduce, in the tensor itself"
      or 'as scatter, but src is joined to what is there: "sum", "prod", "mean", "amax", "amin"'),
    zh = (own and "同 scatter_reduce，直接写入张量"
      or '同 scatter，但按 "sum"、"prod"、"mean"、"amax" 或 "amin" 与原值合并'),
    ex = ("print(tl.host.%s(tl.zeros {2, 3}, 1, tl.ones({2, 1}, \"int64\"), tl.ones {2, 1}, \"amax\"))"):format(name),
    fn = function(x, dim, index, src, reduce, include)
      local how = reduce == "mean" and "add" or reduces[reduce]
      if not how then rt.wrong("tl.host.scatter_reduce", "reduce",
        '"sum", "prod", "mean", "amax" or "amin"', reduce) end
      local out = own and x or x:clone()
      if include == false then -- what is written to begins with the neutral element
        local touched = scatter(name, tensor.new(x.shape, "bool"), dim, index, true, "set")
        local d = rules.dtype_info(x.dtype)
        local neutral = how == "mul" and 1 or how == "add" and 0 or
          how == "max" and (d.class == "F" and -math.huge or d.min) or (d.class == "F"
            and math.huge or d.max)
        rows.copy_.fn(out, rows.masked_fill.fn(out, touched, neutral))
      end
      scatter(name, out, dim, index, src, how)
      if reduce == "mean" then
        local count = scatter(name, tensor.new(x.shape, "float64"):fill_(include == false and 0
          or 1), dim, index, 1, "add")
        local whole = rules.dtype_info(out.dtype).class ~= "F"
        count = rows.clamp_min.fn(count, 1)
        out:copy_(whole and rows.floor_divide.fn(out, count:astype(out.dtype)) or rows.div.fn(out:astype "float64", count))
      end
      return out
    end,
  }
end
def {
  name = "copy_", sig = "copy_(input, src)", types = {src = "tensor"},
  en = "copies src into the tensor, converted and broadcast",
  zh = "把 src 写入张量，自动转换与广播", ex = "print(tl.host.copy_(tl.zeros {2, 4}, tl.arange(4)))",
  fn = function(x, src) return x:copy_(src) end,
}

-- By lists of places -------------------------------------------------------------------

def {
  name = "index_select", sig = "index_select(input, dim, index)", method = true,
  en = "the indices of a dimension that a list names",
  zh = "按下标列表取一维的各项", ex = "print(tl.host.index_select(t, 1, tl.from_table {3, 0}))",
  fn = function(x, dim, index)
    local d = rt.dim(x, dim)
    integers("index_select", index)
    return host.at(x, key_at(d, index:reshape {-1}:astype "int64"))
  end,
}
def {
  name = "take", sig = "take(input, index)", method = true,
  en = "elements by their places in row-major order", zh = "按行数起的位置取元素",
  ex = "print(tl.host.take(t, tl.from_table {0, 5}))",
  fn = function(x, index)
    integers("take", index)
    local at = index:astype "int64"
    return at.ndim == 0 and host.at(x:reshape {-1}, at:item()) or host.at(x:reshape {-1}, {at})
  end,
}
for name, how in pairs {index_add = "add", index_copy = "set"} do
  for _, own in ipairs {false, true} do
    local full = name .. (own and "_" or "")
    def {
      name = full, sig = full .. "(input, dim, index, source, *, alpha=1)", method = true,
      inplace = "own",
      types = {source = "tensor"},
      en = (how == "add" and "source added to" or "source copied to")
        .. " the indices of a dimension that a list names" .. (own and ", in the tensor itself"
          or ""),
      zh = (how == "add" and "把 source 加到" or "把 source 复制到") .. "一维中由列表指定的各项" .. (own
        and "，直接写入张量" or ""),
      ex = ("print(tl.host.%s(tl.zeros {3, 2}, 0, tl.from_table {0, 0}, tl.ones {2, 2}))"):format(full),
      fn = function(x, dim, index, source, alpha)
        integers(name, index)
        if alpha and alpha ~= 1 then source = rows.mul.fn(source, alpha) end
        return host.put(own and x or x:clone(), key_at(rt.dim(x, dim),
          index:reshape {-1}:astype "int64"), source, how)
      end,
    }
  end
end
for _, own in ipairs {false, true} do
  local full = "index_fill" .. (own and "_" or "")
  def {
    name = full, sig = full .. "(input, dim, index, value)", method = true, inplace = "own",
    en = "value at the indices of a dimension that a list names" .. (own
      and ", in the tensor itself" or ""),
    zh = "把一维中由列表指定的各项置为 value" .. (own and "，直接写入张量" or ""),
    ex = ("print(tl.host.%s(tl.zeros {3, 2}, 0, tl.from_table {0, 2}, 5))"):format(full),
    fn = function(x, dim, index, value)
      return host.put(own and x or x:clone(), key_at(rt.dim(x, dim),
        index:reshape {-1}:astype "int64"), value, "set")
    end,
  }
  local put = "index_put" .. (own and "_" or "")
  def {
    name = put, sig = put .. "(input, indices, values, accumulate=False)", method = true,
    inplace = "own",
    types = {indices = "list", values = "operand", accumulate = "bool"},
    en = "values at the places that a list of tensors of indices names, or added there" .. (own
      and ", in the tensor itself" or ""),
    zh = "按一组下标张量写入或累加 values" .. (own and "，直接写入张量" or ""),
    ex = ("print(tl.host.%s(tl.zeros {3}, {tl.from_table {0, 0}}, 1, true))"):format(put),
    fn = function(x, indices, values, accumulate)
      return host.put(own and x or x:clone(), indices, values, accumulate and "add" or "set")
    end,
  }
end

-- Masks --------------------------------------------------------------------------------------

def {
  name = "nonzero", sig = "nonzero(input, as_tuple=False)", method = true,
  types = {as_tuple = "bool"},
  en = "the places of elements other than 0, [n, dimensions]; as_tuple: a list of one tensor a dimension",
  zh = "非 0 元素的位置 [n, 维数]；as_tuple 时为每维一个张量的列表", ex = "print(tl.host.nonzero(t:gt(8)))",
  fn = function(x, as_tuple)
    local places = host.nonzero(x)
    if not as_tuple then return places end
    local out = {}
    for d = 1, math.max(1, x.ndim) do out[d] = rows.select.fn(places, 1, d - 1):contiguous() end
    return out
  end,
}
alias("argwhere", "nonzero")
def {
  name = "masked_select", sig = "masked_select(input, mask)", method = true,
  en = "the elements where the mask is true, in one dimension",
  zh = "掩码为真处的元素，排成一维", ex = "print(tl.host.masked_select(t, t:gt(8)))",
  fn = function(x, mask)
    if mask.dtype ~= "bool" then diag.fail("ops_dtype", "masked_select", mask.dtype, "", "bool") end
    local shape = rt.broadcast(x, mask)
    local a, m = rows.expand.fn(x, shape), rows.expand.fn(mask, shape)
    if #shape == 0 then a, m = a:reshape {1}, m:reshape {1} end
    return host.at(a, m)
  end,
}
def {
  name = "masked_scatter", sig = "masked_scatter(input, mask, source)", method = true,
  inplace = true, types = {source = "tensor"},
  en = "elements of source, one after the other, where the mask is true",
  zh = "掩码为真处依次填入 source 的元素",
  ex = "print(tl.host.masked_scatter(t, t:gt(8), tl.arange(12)))",
  fn = function(x, mask, source)
    local shape = rt.broadcast(x, mask)
    local out = rows.expand.fn(x, shape):clone()
    local m = rows.expand.fn(mask, shape)
    local n = rows.count_nonzero.fn(m):item()
    if source:numel() < n then rt.wrong("tl.host.masked_scatter", "source",
      ("at least %d elements"):format(n), tostring(source:numel())) end
    return host.put(out, m, rows.narrow.fn(source:reshape {-1}, 0, 0, n), "set")
  end,
}

-- Order --------------------------------------------------------------------------------------

local function sort(x, dim, descending)
  local flat = x.ndim == 0 and x:reshape {1} or x
  local values, index = tensor.new(flat.shape, x.dtype), tensor.new(flat.shape, "int64")
  host.sort(values, index, flat, rt.dim(x, dim or -1), descending == true)
  if x.ndim == 0 then return values:reshape {}, index:reshape {} end
  return values, index
end

def {
  name = "sort", sig = "sort(input, dim=-1, descending=False, *, stable=True)", method = true,
  en = "sorted along a dimension, and where each element came from; equal ones keep their order, NaN is the greatest",
  zh = "沿一维排序，并给出各元素原来的位置；相等的元素次序不变，NaN 视为最大", ex = "print(tl.host.sort(t, 1, true))", fn = sort,
}
def {
  name = "argsort", sig = "argsort(input, dim=-1, descending=False, *, stable=True)", method = true,
  en = "the places that sort gives",
  zh = "排序后各元素原来的位置", ex = "print(tl.host.argsort(t, 1, true))",
  fn = function(...) return (select(2, sort(...))) end,
}
def {
  name = "msort", sig = "msort(input)", method = true, en = "sorted along the first dimension",
  zh = "沿第一维排序", ex = "print(tl.host.msort(t))",
  fn = function(x) return (sort(x, 0)) end,
}
def {
  name = "topk", sig = "topk(input, k, dim=-1, largest=True, sorted=True)", method = true,
  en = "the k largest along a dimension, descending, and their places",
  zh = "沿一维最大的 k 个元素（由大到小）及其位置",
  ex = "print(tl.host.topk(t, 2))",
  fn = function(x, k, dim, largest)
    local d = rt.dim(x, dim or -1)
    local n = x.ndim == 0 and 1 or x.shape[d + 1]
    if k < 0 or k > n then rt.wrong("tl.host.topk", "k", "0 .. " .. n, tostring(k)) end
    local values, index = sort(x, d, largest ~= false)
    if x.ndim == 0 then return values, index end
    return rows.narrow.fn(values, d, 0, k):contiguous(), rows.narrow.fn(index, d, 0, k):contiguous()
  end,
}
def {
  name = "kthvalue", sig = "kthvalue(input, k, dim=-1, keepdim=False)", method = true,
  en = "the k-th smallest along a dimension (from 1), and its place",
  zh = "沿一维第 k 小的元素（从 1 数起）及其位置", ex = "print(tl.host.kthvalue(t, 2))",
  fn = function(x, k, dim, keepdim)
    local d = rt.dim(x, dim or -1)
    if k < 1 or k > x.shape[d + 1] then rt.wrong("tl.host.kthvalue", "k", "1 .. "
      .. x.shape[d + 1], tostring(k)) end
    local values, index = sort(x, d)
    values, index = rows.narrow.fn(values, d, k - 1, 1):contiguous(), rows.narrow.fn(index, d,
      k - 1, 1):contiguous()
    if keepdim then return values, index end
    return values:squeeze(d), index:squeeze(d)
  end,
}
def {
  name = "searchsorted",
  sig = "searchsorted(sorted_sequence, input, *, right=False, side=None, out_int32=False)",
  types = {sorted_sequence = "tensor", input = "operand", right = "bool", side = "string",
    out_int32 = "bool"},
  en = "before which place of a sorted line each element would go; right: behind equal ones",
  zh = "各元素应插入有序序列的位置；right 时在相等元素之后",
  ex = "print(tl.host.searchsorted(tl.arange(0, 10, 2), t))",
  fn = function(sorted, x, right, side, narrow)
    x = rt.operand(x, sorted.dtype)
    local shape = x.shape
    if sorted.ndim > 1 and sorted.ndim ~= x.ndim then
      diag.fail("ops_shape", "searchsorted", "sorted_sequence " .. text(sorted) .. ", input "
        .. text(x), "")
    end
    return host.search(tensor.new(shape, narrow and "int32" or "int64"), sorted, x, right
      or side == "right")
  end,
}
def {
  name = "bucketize", sig = "bucketize(input, boundaries, *, right=False, out_int32=False)",
  types = {input = "operand", boundaries = "tensor", right = "bool", out_int32 = "bool"},
  en = "between which boundaries each element lies",
  zh = "各元素落在哪两个边界之间", ex = "print(tl.host.bucketize(t, tl.arange(0, 10, 2)))",
  fn = function(x, boundaries, right, narrow) return rows.searchsorted.fn(boundaries, x, right,
    nil, narrow) end,
}

-- Sets and counts ------------------------------------------------------------------------------

def {
  name = "unique", sig = "unique(input, sorted=True, return_inverse=False, return_counts=False)",
  method = true,
  types = {return_inverse = "bool", return_counts = "bool"},
  en = "the distinct elements, sorted; then, where asked for, which of them each element is, and how often each occurs",
  zh = "互不相同的元素（已排序）；可另求各元素对应其中第几个，及各出现几次", ex = "print(tl.host.unique(tl.from_table {3, 1, 3}))",
  fn = function(x, _, inverse, counts)
    local flat = x:reshape {-1}
    local values, index = sort(flat, 0)
    local n = values:numel()
    local first = tensor.new({n}, "bool"):fill_(true)
    if n > 1 then
      local a, b = rows.narrow.fn(values, 0, 1, n - 1), rows.narrow.fn(values, 0, 0, n - 1)
      rows.narrow.fn(first, 0, 1, n - 1):copy_(rows.ne.fn(a, b))
    end
    local out = {host.at(values, first)}
    if inverse then
      local rank = rows.cumsum.fn(first, 0) - 1
      out[#out + 1] = host.put(tensor.new({n}, "int64"), {index}, rank, "set"):reshape(x.shape)
    end
    if counts then
      local starts = rows.select.fn(host.nonzero(first), 1, 0)
      local ends = rows.cat.fn({rows.narrow.fn(starts, 0, math.min(1, starts:numel()), math.max(0,
        starts:numel() - 1)),
        tensor.from_table({n}, "int64")}, 0)
      out[#out + 1] = starts:numel() > 0 and ends - starts or tensor.new({0}, "int64")
    end
    return table.unpack(out)
  end,
}
def {
  name = "bincount", sig = "bincount(input, weights=None, minlength=0)", method = true,
  types = {weights = "tensor", minlength = "int"},
  en = "how often each number from 0 up occurs, or the sums of their weights",
  zh = "从 0 起各整数出现的次数，或其权重之和", ex = "print(tl.host.bincount(tl.from_table {1, 3, 1}))",
  fn = function(x, weights, minlength)
    integers("bincount", x)
    if x.ndim ~= 1 then rt.wrong("tl.host.bincount", "input", "1-D", text(x)) end
    if x:numel() > 0 and x:min() < 0 then rt.wrong("tl.host.bincount", "input", "0 or more",
      tostring(x:min())) end
    local n = math.max(minlength or 0, x:numel() > 0 and x:max() + 1 or 0)
    local dtype = not weights and "int64" or weights.dtype == "float32" and "float32" or "float64"
    return host.put(tensor.new({n}, dtype), {x:astype "int64"}, weights and weights:astype(dtype)
      or 1, "add")
  end,
}
def {
  name = "histc", sig = "histc(input, bins=100, min=0, max=0)", method = true,
  types = {bins = "int", min = "number", max = "number"},
  en = "how many elements fall into each of so many equal bins from min to max, by default over all elements",
  zh = "把 min 到 max（默认为元素的范围）等分为 bins 段，各段元素的个数",
  ex = "print(tl.host.histc(x, 4))",
  fn = function(x, bins, lo, hi)
    bins, lo, hi = bins or 100, lo or 0, hi or 0
    local flat = x:reshape {-1}:astype "float64"
    if lo == hi and flat:numel() > 0 then lo, hi = flat:min(), flat:max() end
    if lo == hi then lo, hi = lo - 1, hi + 1 end
    flat = host.at(flat, rows.logical_and.fn(rows.ge.fn(flat, lo + 0.0), rows.le.fn(flat,
      hi + 0.0)))
    local place = rows.clamp.fn(rows.floor.fn((flat - lo) * (bins / (hi - lo))), 0,
      bins - 1):astype "int64"
    return host.put(tensor.new({bins}, rt.float_of(x.dtype)), {place}, 1, "add")
  end,
}
def {
  name = "isin", sig = "isin(elements, test_elements, *, invert=False)",
  types = {elements = "operand", test_elements = "operand", invert = "bool"},
  en = "whether each element is among others", zh = "各元素是否在另一组元素之中",
  ex = "print(tl.host.isin(t, tl.from_table {1, 5}))",
  fn = function(x, others, invert)
    local dtype = rt.result_type(x, others)
    local a, b = rt.operand(x, dtype, true):astype(dtype), rt.operand(others, dtype,
      true):astype(dtype):reshape {-1}
    local sorted = sort(b, 0)
    local n = sorted:numel()
    if n == 0 then return tensor.new(a.shape, "bool"):fill_(invert == true) end
    local at = rows.clamp.fn(rows.searchsorted.fn(sorted, a), 0, n - 1)
    local found = rows.take.fn(sorted, at)
    return rows[invert and "ne" or "eq"].fn(found, a)
  end,
}
