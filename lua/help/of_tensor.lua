-- help/of_tensor.lua: what tensors offer.

require "moontile.tl.tensor"
local methods = require("moontile.tensor").methods

local list = {
  kind = "tensor", var = "t", methods = methods,

  -- Facts
  {"shape", field = true, en = "the extents, in a table", zh = "各维大小（表）",
    more = {
      en = "A fresh table each time; `table.unpack(t.shape)` gives the extents one by one.",
      zh = "每次返回新的表；`table.unpack(t.shape)` 逐个给出各维大小。",
    },
    example = "print(table.concat(t.shape, ', '))", see = {"tensor:size", "tensor:reshape"}},
  {"dtype", field = true, en = "the dtype, a string", zh = "dtype（字符串）", example = "print(t.dtype)",
    see = {"tensor:to", "dtypes"}},
  {"ndim", field = true, en = "the number of dimensions", zh = "维数", example = "print(t.ndim)"},
  {"strides", field = true, en = "elements from one index to the next, for each dimension",
    zh = "各维下标加一所跨过的元素数", example = "print(table.concat(t.strides, ', '))",
    see = {"tensor:is_contiguous"}},
  {"T", field = true, en = "a view with the dimensions in reverse order", zh = "各维次序颠倒的视图",
    example = "print(t.T.shape[1])", see = {"tensor:transpose", "tensor:permute"}},
  {"size", "([dim])", en = "the shape, or one extent", zh = "形状，或某一维的大小",
    example = "print(t:size(0), t:size(-1))", see = {"tensor.shape"}},
  {"dim", "()", en = "the number of dimensions", zh = "维数", example = "print(t:dim())",
    see = {"tensor.ndim"}},
  {"numel", "()", en = "the number of elements", zh = "元素个数", example = "print(t:numel())",
    see = {"tensor:nbytes"}},
  {"nbytes", "()", en = "bytes that the elements take", zh = "元素所占字节数",
    example = "print(t:nbytes())", see = {"tensor:numel"}},
  {"is_contiguous", "()", en = "whether the elements lie row by row without gaps",
    zh = "元素是否按行连续存放", example = "print(t:is_contiguous(), t.T:is_contiguous())",
    see = {"tensor:contiguous"}},

  -- Elements
  {"item", "(i, j, ..)", en = "one element as a number; without indices, the only element of a "
    .. "tensor",
    zh = "以数返回一个元素；不带下标时张量须只有一个元素",
    more = {
      en = "t[i, j] is the same, and can be assigned.  Indices count from 0, from the end when "
        .. "negative; t[1:3, :] is a view.",
      zh = "也可写作 t[i, j]，并可赋值。下标从 0 数起，负数从末尾数起；t[1:3, :] 为视图。",
    },
    example = "print(t:item(1, 2), t[1, 2], t[0:2, "
      .. "1].shape[1])", see = {"tensor:totable", "indexing"}},
  {"totable", "()", en = "nested Lua tables of the elements; a number for a tensor without "
    .. "dimensions",
    zh = "元素组成的嵌套 Lua 表；零维张量为数", example = "print(t:totable()[1][2])",
    see = {"tl.from_table", "tensor:item"}},
  {"fill_", "(value)", en = "sets every element; returns t", zh = "把每个元素设为同一值；返回 t",
    example = "print(tl.empty {2}:fill_(3))", see = {"tl.full", "tensor:copy_"}},
  {"copy_", "(src)", en = "copies the elements of src, converted and broadcast; returns t",
    zh = "用 src 的元素覆盖，自动转换与广播；返回 t",
    example = "print(tl.empty {2, 4}:copy_(tl.arange(4)))", see = {"tensor:copy", "tensor:fill_"}},

  -- Copies, views
  {"copy", "()", en = "a separate tensor with the same elements", zh = "元素相同的独立张量",
    example = "u = t:copy()   u[0, 0] = 9   print(t[0, 0])", see = {"tensor:copy_"}},
  {"clone", "()", en = "a separate tensor with the same elements", zh = "元素相同的独立张量",
    alias_of = "copy", example = "print(t:clone().shape[1])"},
  {"contiguous", "()", en = "t, or a copy whose elements lie row by row",
    zh = "元素按行连续的张量：t 本身或其副本", example = "print(t.T:contiguous():is_contiguous())",
    see = {"tensor:is_contiguous"}},
  {"reshape", "(shape)", en = "the same elements in another shape; -1: whatever is left",
    zh = "同样的元素换一种形状；-1 表示由其余推出",
    more = {en = "A view where that is possible, otherwise a copy.",
      zh = "可能时为视图，否则为副本。"},
    example = "print(t:reshape {2, -1}.shape[2])", see = {"tensor:view", "tensor:flatten"}},
  {"view", "(shape)", en = "like reshape, but an error where it would have to copy",
    zh = "同 reshape，但需要复制时报错", example = "print(t:view {12}.ndim)",
    see = {"tensor:reshape"}},
  {"flatten", "()", en = "the same elements in one dimension", zh = "展平为一维",
    example = "print(t:flatten().shape[1])", see = {"tensor:reshape"}},
  {"expand", "(shape)", en = "dimensions of 1 repeated, without a copy", zh = "把大小为 1 的维重复，不复制",
    example = "print(tl.arange(3):reshape {3, 1}:expand {3, 4}.shape[2])",
    see = {"tensor:unsqueeze"}},
  {"permute", "(order)", en = "the dimensions in another order, counted from 0; a view",
    zh = "重排各维（从 0 数起）；视图", example = "print(t:permute {1, 0}.shape[1])",
    see = {"tensor:transpose", "tensor.T"}},
  {"transpose", "(dim0, dim1)", en = "two dimensions swapped, by default the last two; a view",
    zh = "交换两维，省略参数时交换最后两维；视图", example = "print(t:transpose().shape[1])",
    see = {"tensor:permute"}},
  {"squeeze", "([dim])", en = "without a dimension of 1, or without all of them",
    zh = "去掉一个或全部大小为 1 的维", example = "print(tl.zeros {1, 3}:squeeze().ndim)",
    see = {"tensor:unsqueeze"}},
  {"unsqueeze", "(dim)", en = "with a dimension of 1 inserted there",
    zh = "在该处插入大小为 1 的维",
    example = "print(t:unsqueeze(0).shape[1])", see = {"tensor:squeeze"}},
  {"stepped", "(dim, n)", en = "every n-th index of a dimension, the middle of each n; a view",
    zh = "沿某一维每 n 个取一个（取各段中间）；视图", example = "print(t:stepped(1, 2).shape[2])"},

  -- Conversions
  {"to", "(what)", en = "converted to a dtype; a target's name gives t itself",
    zh = "转换为某 dtype；给出目标名称时返回 t 本身",
    more = {
      en = "Tensors live in memory that every local target sees, so there is nothing to move.",
      zh = "张量位于各本地目标都能访问的内存中，因此无需搬移。",
    },
    example = "print(t:to('float16').dtype)", see = {"tensor:astype", "dtypes"}},
  {"astype", "(dtype)", en = "t, or a copy with another dtype, rounded to nearest",
    zh = "t 本身，或转换为另一 dtype 的副本（舍入到最近）", example = "print(t:astype('int8').dtype)",
    see = {"tensor:to"}},

  {"allclose", "(other, rtol, atol)", en = "whether both agree within tolerances",
    zh = "两者在容差内是否一致", example = "print(t:allclose(t:float()))",
    see = {"tl.testing.assert_close", "tensor:equal"}},
  {"equal", "(other)", en = "whether shape, dtype and every value agree",
    zh = "形状、dtype 与每个值是否都相同", example = "print(t:equal(t:copy()))", see = {"tl.equal"}},
}

local function add(name, call, en, zh, example, see)
  list[#list + 1] = {name, call, en = en, zh = zh, example = example, see = see}
end

for name, dtype in pairs {float = "float32", half = "float16", double = "float64",
  bfloat16 = "bfloat16", int = "int32", long = "int64", bool = "bool"} do
  add(name, "()", "converted to " .. dtype, "转换为 " .. dtype, ("print(t:%s().dtype)"):format(name),
    {"tensor:astype"})
end
for _, name in ipairs {"cpu", "cuda", "detach"} do
  add(name, "()", "t itself; accepted for PyTorch habits",
    "t 本身；为熟悉 PyTorch 的程序而设", ("print(t:%s().dtype)"):format(name), {"tensor:to"})
end

-- Element by element: name, what it gives.
local unary = {
  neg = {"-t", "取相反数"}, abs = {"magnitudes", "绝对值"}, sign = {"-1, 0 or 1", "符号：-1、0 或 1"},
  exp = {"e to the power t", "e 的 t 次方"}, exp2 = {"2 to the power t", "2 的 t 次方"},
  log = {"natural logarithms", "自然对数"}, log2 = {"logarithms to base 2", "以 2 为底的对数"},
  sqrt = {"square roots", "平方根"}, rsqrt = {"1 / sqrt(t)", "平方根的倒数"},
  sin = {"sines", "正弦"}, cos = {"cosines", "余弦"}, tanh = {"hyperbolic tangents", "双曲正切"},
  erf = {"the error function", "误差函数"}, floor = {"rounded down", "向下取整"},
  ceil = {"rounded up", "向上取整"}, round = {"rounded to nearest, ties to even", "舍入到最近，平局取偶"},
  trunc = {"rounded towards zero", "向零取整"}, relu = {"max(t, 0)", "max(t, 0)，即负数取零"},
  sigmoid = {"1 / (1 + exp(-t))", "S 形函数 1 / (1 + exp(-t))"},
  silu = {"t sigmoid(t)", "silu 函数，即 t sigmoid(t)"},
  gelu = {"gelu(t), with erf", "gelu(t)，用 erf 计算"}, isnan = {"true where NaN", "是否为 NaN"},
  isinf = {"true where infinite", "是否为无穷"}, logical_not = {"true where 0", "是否为 0"},
}
for name, d in pairs(unary) do
  add(name, "()", d[1] .. ", for each element", "逐元素：" .. d[2], ("print(t:%s())"):format(name))
end

local binary = {
  add = "t + other", sub = "t - other", mul = "t * other", div = "t / other", pow = "t ^ other",
}
for name, sign in pairs(binary) do
  add(name, "(other)", sign .. ", for each element; shapes broadcast, numbers too",
    "逐元素：" .. sign .. "；形状自动广播，other 也可为数", ("print(t:%s(2))"):format(name))
end
for name, d in pairs {maximum = {"the larger", "较大值"}, minimum = {"the smaller", "较小值"}} do
  add(name, "(other)", d[1] .. " of two elements; NaN wins", "逐元素取" .. d[2] .. "；遇 NaN 得 NaN",
    ("print(t:%s(5))"):format(name))
end
local compare = {eq = "==", ne = "~=", lt = "<", le = "<=", gt = ">", ge = ">="}
for name, sign in pairs(compare) do
  add(name, "(other)", ("t %s other, for each element: a bool tensor"):format(sign),
    ("逐元素比较 t %s other，得 bool 张量"):format(sign), ("print(t:%s(5))"):format(name))
end
for name, d in pairs {logical_and = {"both are", "都"}, logical_or = {"either is", "至少一个"}} do
  add(name, "(other)", ("whether %s other than 0, for each element"):format(d[1]),
    ("逐元素判断两者是否%s非 0"):format(d[2]), ("print(t:gt(2):%s(t:lt(9)))"):format(name))
end

-- Reductions.
local reductions = {
  sum = {"the sum", "求和"}, mean = {"the mean", "平均值"}, prod = {"the product", "连乘积"},
  max = {"the maximum; NaN wins", "最大值；遇 NaN 得 NaN"},
  min = {"the minimum; NaN wins", "最小值；遇 NaN 得 NaN"},
  absmax = {"the largest magnitude", "绝对值的最大值"},
  abssum = {"the sum of magnitudes", "绝对值之和"},
  any = {"whether any element is not 0", "是否有元素非 0"},
  all = {"whether all elements are not 0", "是否所有元素非 0"},
  argmax = {"the index of the maximum", "最大值的下标"},
  argmin = {"the index of the minimum", "最小值的下标"},
}
for name, d in pairs(reductions) do
  add(name, "([axis, keepdim])", d[1] .. ": a number over all elements, a tensor along an axis",
    d[2] .. "：不带参数时对全部元素（得数），给出 axis 时沿该轴（得张量）",
    ("print(t:%s(), t:%s(1))"):format(name, name), name ~= "any" and name ~= "all" and {"tl.ref." .. name} or nil)
end

return {list}
