-- tl/host/create.lua: tensors from nothing, or filled anew.

local diag = require "moontile.diag"
local rt = require "moontile.tl.host.promote"
local tensor = require "moontile.tensor"
local tensors = require "moontile.tl.tensor"
local rules = tensors.rules
local registry = require "moontile.tl.host.registry"
local def, rows = registry.def, registry.rows

-- Filled -------------------------------------------------------------------------

local function value_dtype(v)
  return rt.number_dtype(v)
end

for name, d in pairs {zeros = {0, "a tensor of zeros", "全零张量"}, ones = {1, "a tensor of ones",
  "全一张量"}} do
  def {
    name = name, sig = name .. "(*size, dtype=None)", en = d[2], zh = d[3],
    ex = ("print(tl.host.%s(2, 3))"):format(name),
    fn = function(size, dtype)
      local t = tensor.new(size, dtype or rt.default_float)
      return d[1] == 0 and t or t:fill_(1)
    end,
  }
end
def {
  name = "empty", sig = "empty(*size, dtype=None)",
  en = "a tensor without meaningful contents: NaN in floats, so that unwritten elements show",
  zh = "内容无意义的张量：浮点为 NaN，以便发现没有写入的元素", ex = "print(tl.host.empty(2, 3))",
  fn = function(size, dtype) return tensors.empty(size, dtype or rt.default_float) end,
}
def {
  name = "full", sig = "full(size, fill_value, *, dtype=None)",
  types = {size = "dims", fill_value = "scalar"},
  en = "a tensor of one value; without dtype float32, int64 or bool, as the value is",
  zh = "各元素为同一值的张量；省略 dtype 时随值取 float32、int64 或 bool", ex = "print(tl.host.full({2, 3}, 7))",
  fn = function(size, value, dtype)
    return tensor.new(size, dtype or value_dtype(value)):fill_(value)
  end,
}
for _, name in ipairs {"zeros", "ones", "empty", "rand", "randn"} do
  def {
    name = name .. "_like", sig = name .. "_like(input, *, dtype=None)",
    en = ("as tl.host.%s, with the shape and dtype of input"):format(name),
    zh = ("同 tl.host.%s，形状与 dtype 取自 input"):format(name),
    ex = ("print(tl.host.%s_like(x).shape[1])"):format(name),
    fn = function(x, dtype) return rows[name].fn(x.shape, dtype or x.dtype) end,
  }
  def {
    name = "new_" .. name, sig = "new_" .. name .. "(input, *size, dtype=None)",
    method = "new_" .. name,
    en = ("as tl.host.%s, with the dtype of input"):format(name),
    zh = ("同 tl.host.%s，dtype 取自 input"):format(name),
    ex = ("print(tl.host.new_%s(x, 2, 3).dtype)"):format(name),
    fn = function(x, size, dtype) return rows[name].fn(size, dtype or x.dtype) end,
  }
end
def {
  name = "full_like", sig = "full_like(input, fill_value, *, dtype=None)",
  types = {fill_value = "scalar"},
  en = "as tl.host.full, with the shape and dtype of input",
  zh = "同 tl.host.full，形状与 dtype 取自 input",
  ex = "print(tl.host.full_like(x, 3))",
  fn = function(x, value, dtype) return tensor.new(x.shape, dtype or x.dtype):fill_(value) end,
}
def {
  name = "new_full", sig = "new_full(input, size, fill_value, *, dtype=None)", method = true,
  types = {size = "dims", fill_value = "scalar"}, en = "as tl.host.full, with the dtype of input",
  zh = "同 tl.host.full，dtype 取自 input", ex = "print(tl.host.new_full(x, {2}, 3))",
  fn = function(x, size, value, dtype) return tensor.new(size, dtype or x.dtype):fill_(value) end,
}

local function holds_tensor(v)
  if type(v) ~= "table" then return tensor.istensor(v) end
  for _, e in ipairs(v) do
    if holds_tensor(e) then return true end
  end
  return false
end

-- Nested lists in which tensors without dimensions, or all of one shape, may stand.
local function from_list(data, dtype)
  if tensor.istensor(data) then return data:astype(dtype or data.dtype):clone() end
  if not holds_tensor(data) then return tensor.from_table(data, dtype) end
  local parts, common = {}, dtype
  for i, v in ipairs(data) do
    parts[i] = from_list(v, dtype)
    common = dtype or common and rules.promote(common, parts[i].dtype) or parts[i].dtype
  end
  for i, t in ipairs(parts) do parts[i] = t:astype(common) end
  return rows.stack.fn(parts, 0)
end

def {
  name = "tensor", sig = "tensor(data, *, dtype=None)", types = {data = "any"},
  en = "a tensor of nested lists, of a number, or a copy of a tensor; float32, int64 or bool as the elements are",
  zh = "由嵌套表、数或张量得到新张量；省略 dtype 时随元素取 float32、int64 或 bool",
  ex = "print(tl.host.tensor({{1, 2}, {3, 4}}, {dtype = \"float16\"}))", fn = from_list,
}
def {
  name = "new_tensor", sig = "new_tensor(input, data, *, dtype=None)", method = true, types = {data = "any"},
  en = "as tl.host.tensor, of input's dtype", zh = "同 tl.host.tensor，dtype 取自 input",
  ex = "print(tl.host.new_tensor(x, {1, 2}).dtype)",
  fn = function(x, data, dtype) return from_list(data, dtype or x.dtype) end,
}
def {
  name = "as_tensor", sig = "as_tensor(data, *, dtype=None)", types = {data = "any"},
  en = "as tl.host.tensor, but a tensor of that dtype is itself",
  zh = "同 tl.host.tensor，但 dtype 相同的张量不复制",
  ex = "print(tl.host.as_tensor({1, 2}))",
  fn = function(data, dtype)
    if tensor.istensor(data) then return data:astype(dtype or data.dtype) end
    return from_list(data, dtype)
  end,
}

-- Ranges ----------------------------------------------------------------------------

def {
  name = "arange", sig = "arange(start, end=None, step=1, *, dtype=None)",
  types = {start = "number", ["end"] = "number", step = "number"},
  en = "the numbers from start (0) to before end; int64 for integers, else float32",
  zh = "从 start（默认 0）到 end（不含）的数；参数为整数时得 int64，否则 float32", ex = "print(tl.host.arange(2, 10, 3))",
  fn = function(start, stop, step, dtype)
    if stop == nil then start, stop = 0, start end
    step = step or 1
    if step ~= 0 and (stop - start) * step < 0 then
      diag.fail("ops_arg", "tl.host.arange", "step", "of the sign of end - start", tostring(step))
    end
    local ints = math.type(start) == "integer" and math.type(stop) == "integer"
      and math.type(step) == "integer"
    return tensor.arange(start, stop, step, dtype or (ints and "int64" or rt.default_float))
  end,
}
local function linspace(start, stop, steps, f, dtype)
  local t = tensor.arange(0, steps, 1, "float64")
  if steps > 1 then -- symmetric, as PyTorch: exact at both ends
    local step = (stop - start) / (steps - 1)
    local up = t * step + start
    local down = (t - (steps - 1)) * step + stop
    t = rows.where.fn(t:lt(steps // 2), up, down)
  else
    t:fill_(start)
  end
  return (f and f(t) or t):astype(dtype or rt.default_float)
end
def {
  name = "linspace", sig = "linspace(start, end, steps, *, dtype=None)",
  types = {start = "number", ["end"] = "number", steps = "int"},
  en = "steps numbers from start to end, both included, equally far apart",
  zh = "从 start 到 end（含）等距的 steps 个数",
  ex = "print(tl.host.linspace(0, 1, 5))",
  fn = function(start, stop, steps, dtype) return linspace(start, stop, steps, nil, dtype) end,
}
def {
  name = "logspace", sig = "logspace(start, end, steps, base=10.0, *, dtype=None)",
  types = {start = "number", ["end"] = "number", steps = "int", base = "number"},
  en = "powers of base, their exponents equally far apart", zh = "指数等距的 base 的幂",
  ex = "print(tl.host.logspace(0, 3, 4))",
  fn = function(start, stop, steps, base, dtype)
    return linspace(start, stop, steps, function(t) return rows.pow.fn(base or 10.0, t) end, dtype)
  end,
}
def {
  name = "eye", sig = "eye(n, m=None, *, dtype=None)", types = {m = "int"},
  en = "ones on the diagonal", zh = "对角线为一的矩阵",
  ex = "print(tl.host.eye(3))",
  fn = function(n, m, dtype)
    local row, column = tensor.arange(0, n, 1, "int64"):unsqueeze(1), tensor.arange(0, m or n, 1,
      "int64")
    return row:eq(column):astype(dtype or rt.default_float)
  end,
}

-- Triangles ---------------------------------------------------------------------------

-- Where column - row is at least (upper) or at most (lower) the diagonal.
local function triangle(rows_, columns, diagonal, upper)
  local row = tensor.arange(0, rows_, 1, "int64"):unsqueeze(1) + (diagonal or 0)
  local column = tensor.arange(0, columns, 1, "int64"):unsqueeze(0)
  return upper and column:ge(row) or column:le(row)
end
for name, upper in pairs {triu = true, tril = false} do
  def {
    name = name, sig = name .. "(input, diagonal=0)", method = true, inplace = true,
    en = ("zeros %s the diagonal of the last two dimensions"):format(upper and "below" or "above"),
    zh = ("最后两维的对角线%s方置零"):format(upper and "下" or "上"), ex = ("print(tl.host.%s(t))"):format(name),
    fn = function(x, diagonal)
      if x.ndim < 2 then rt.wrong("tl.host." .. name, "input", "at least 2-D",
        tensors.rules.shape_text(x)) end
      local keep = triangle(x.shape[x.ndim - 1], x.shape[x.ndim], diagonal, upper)
      return rt.elem("where", x.dtype, nil, nil, nil, keep, x, tensor.new({}, x.dtype))
    end,
  }
  def {
    name = name .. "_indices", sig = name .. "_indices(row, col, offset=0)",
    types = {row = "int", col = "int", offset = "int"},
    en = "the rows and columns of the elements that tl.host." .. name .. " keeps, [2, n]",
    zh = "tl.host." .. name .. " 保留的元素的行与列，[2, n]",
    ex = ("print(tl.host.%s_indices(3, 3))"):format(name),
    fn = function(r, c, offset)
      return require("moontile.host").nonzero(triangle(r, c, offset, upper)).T:contiguous()
    end,
  }
end
def {
  name = "tri", sig = "tri(n, m=None, diagonal=0, *, dtype=None)", types = {m = "int"},
  en = "ones on and below the diagonal",
  zh = "对角线及其下方为一的矩阵", ex = "print(tl.host.tri(3))",
  fn = function(n, m, diagonal, dtype)
    return triangle(n, m or n, diagonal, false):astype(dtype or rt.default_float)
  end,
}

-- Random ------------------------------------------------------------------------------------

for name, d in pairs {rand = {"uniform random numbers in [0, 1)", "[0, 1) 上的均匀随机数"},
  randn = {"normal random numbers, mean 0 and deviation 1", "标准正态随机数（均值 0，标准差 1）"}} do
  def {
    name = name, sig = name .. "(*size, dtype=None)", en = d[1] .. ", the same on every machine",
    zh = d[2] .. "，在任何机器上都相同",
    ex = ("print(tl.host.%s(2, 3))"):format(name),
    fn = function(size, dtype) return tensor[name](size, dtype or rt.default_float) end,
  }
end
def {
  name = "randint", sig = "randint(low, high=None, size=None, *, dtype=None)",
  types = {low = "int", high = "any", size = "any"}, en = "random integers in [low, high)",
  zh = "[low, high) 中的随机整数",
  ex = "print(tl.host.randint(0, 10, {2, 3}))",
  fn = function(low, high, size, dtype)
    if type(high) == "table" or high == nil or size == nil then -- randint(high, size)
      low, high, size = 0, low, size or high
    end
    return tensors.randint(low, high, size, dtype or "int64")
  end,
}
def {
  name = "randint_like", sig = "randint_like(input, low, high=None, *, dtype=None)",
  types = {low = "int", high = "int"},
  en = "as tl.host.randint, with the shape and dtype of input",
  zh = "同 tl.host.randint，形状与 dtype 取自 input",
  ex = "print(tl.host.randint_like(t, 0, 5))",
  fn = function(x, low, high, dtype)
    if high == nil then low, high = 0, low end
    return tensors.randint(low, high, x.shape, dtype or x.dtype)
  end,
}
def {
  name = "randperm", sig = "randperm(n, *, dtype=None)", en = "0 to n - 1 in random order",
  zh = "0 到 n - 1 的随机排列",
  ex = "print(tl.host.randperm(5))",
  fn = function(n, dtype)
    local _, places = rows.sort.fn(tensor.rand({n}, "float64"), 0)
    return places:astype(dtype or "int64")
  end,
}
def {
  name = "bernoulli", sig = "bernoulli(input, p=None)", method = true,
  en = "1 with the probability p, or with that of each element, else 0",
  zh = "以概率 p（或各元素给出的概率）取 1，否则取 0",
  ex = "print(tl.host.bernoulli(tl.host.full({4}, 0.5)))",
  fn = function(x, p)
    return rows.lt.fn(tensor.rand(x.shape, "float64"), p or x:astype("float64")):astype(x.dtype)
  end,
}
def {
  name = "normal", sig = "normal(mean, std, size)",
  types = {mean = "operand", std = "operand", size = "dims"},
  en = "normal random numbers", zh = "正态随机数", ex = "print(tl.host.normal(0, 1, {2, 3}))",
  fn = function(mean, std, size) return (tensor.randn(size,
    "float64") * std + mean):astype(rt.default_float) end,
}

-- Methods that fill the tensor anew and return it.
local filled = {
  zero_ = {"zero_(input)", "zeros", "全部置零", function(t) return t:fill_(0) end},
  normal_ = {"normal_(input, mean=0, std=1)", "normal random numbers", "正态随机数", function(t, mean,
    std)
    return t:copy_(tensor.randn(t.shape, "float64", mean or 0, std or 1))
  end},
  uniform_ = {"uniform_(input, from=0, to=1)", "uniform random numbers in [from, to)",
    "[from, to) 上的均匀随机数",
    function(t, from, to)
      from, to = from or 0, to or 1
      return t:copy_(tensor.rand(t.shape, "float64") * (to - from) + from)
    end},
  random_ = {"random_(input, from=0, to=None)", "random integers in [from, to)",
    "[from, to) 中的随机整数", function(t, from, to)
    if to == nil then
      from, to = 0, from or math.min(1 << 24,
        math.tointeger(tensors.rules.dtype_info(t.dtype).max) or 1 << 24)
    end
    return t:copy_(tensors.randint(from, to, t.shape, "int64"))
  end},
  bernoulli_ = {"bernoulli_(input, p=0.5)", "1 with probability p, else 0", "以概率 p 取 1，否则取 0",
    function(t, p)
    return t:copy_(tensor.rand(t.shape, "float64"):lt(p or 0.5))
  end},
}
for name, d in pairs(filled) do
  def {
    name = name, sig = d[1], method = true,
    types = {mean = "number", std = "number", from = "number", to = "number"},
    en = "fills the tensor: " .. d[2] .. "; returns it", zh = "填充张量：" .. d[3] .. "；返回它",
    ex = ("print(tl.host.%s(tl.zeros {2, 3}))"):format(name), fn = d[4],
  }
end

def {
  name = "manual_seed", sig = "manual_seed(seed)", types = {seed = "int"},
  en = "starts the random numbers of a seed", zh = "以 seed 为种子重新开始随机数",
  ex = "tl.host.manual_seed(42)",
  fn = function(seed) tensors.manual_seed(seed) end,
}

def {
  name = "meshgrid", sig = 'meshgrid(*tensors, indexing="ij")', types = {indexing = "string"},
  en = "a list of tensors of one dimension expanded over those of all",
  zh = "把一维张量扩展到所有张量组成的网格，得列表",
  ex = "print(tl.host.meshgrid(tl.arange(2), tl.arange(3))[1])",
  fn = function(list, indexing)
    local xy, shape = indexing == "xy" and #list >= 2, {}
    if indexing and indexing ~= "xy" and indexing ~= "ij" then
      diag.fail("ops_arg", "tl.host.meshgrid", "indexing", '"ij" or "xy"', indexing)
    end
    local order = {}
    for i = 1, #list do order[i] = i end
    if xy then order[1], order[2] = 2, 1 end
    for d, i in ipairs(order) do shape[d] = list[i]:numel() end
    local out = {}
    for i, t in ipairs(list) do
      local lone = {}
      for d, j in ipairs(order) do lone[d] = j == i and shape[d] or 1 end
      out[i] = t:reshape(lone):expand(shape)
    end
    return out
  end,
}
