-- help/of_tensor.lua: what tensors offer.

require "moontile.tl.tensor"
require "moontile.tl.host"
local registry = require "moontile.tl.host.registry"
local methods = require("moontile.tensor").methods

local list = {
  kind = "tensor", var = "t", methods = methods,
  -- what asks for nothing, for PyTorch's habits
  internal = {ndimension = true, nelement = true},

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
  {"mT", field = true, en = "a view with the last two dimensions swapped", zh = "交换最后两维的视图",
    example = "print(x.mT.shape[1])", see = {"tensor.T", "tensor:transpose"}},
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
for _, name in ipairs {"cpu", "cuda"} do
  add(name, "()", "t itself; accepted for PyTorch habits",
    "t 本身；为熟悉 PyTorch 的程序而设", ("print(t:%s().dtype)"):format(name), {"tensor:to"})
end

-- The operators of tl.host, as methods: their rows say it all but the example, whose first argument
-- becomes what stands in front of the colon.
local listed = {}
for _, d in ipairs(list) do listed[d[1]] = true end

-- Where the argument that begins at `at` ends: in front of a comma or bracket of the call.
local function argument_end(s, at)
  local depth = 0
  for i = at, #s do
    local ch = s:sub(i, i)
    if depth == 0 and ch:find "[,)]" then return i - 1 end
    depth = depth + (ch:find "[%({%[]" and 1 or ch:find "[%)}%]]" and -1 or 0)
  end
end

local function method_example(row, name)
  local from, to = row.ex:find("tl%.host%.?[%w_%[%]\"]+%(")
  local last = argument_end(row.ex, to + 1)
  return row.ex:sub(1, from - 1) .. row.ex:sub(to + 1, last):gsub(" ({.*})$", "%1") .. ":" .. name .. "("
    .. row.ex:sub(last + 1):gsub("^,%s*", "")
end

for _, name in ipairs(registry.order) do
  local row = registry.rows[name]
  local as = type(row.method) == "string" and row.method or name
  if row.of then
    list.internal[as] = true
  elseif row.method and not listed[as] then
    local params = row.sig:match "%((.*)%)$":gsub("^%*?[%w_]+,?%s*", "")
    local more = row.inplace == true and {
      en = ("`t:%s_` writes the result into t."):format(as), zh = ("`t:%s_` 把结果写入 t。"):format(as),
    } or row.total and {
      en = "Without arguments it gives a number, else a tensor.", zh = "不带参数时得数，否则得张量。",
    } or nil
    list[#list + 1] = {as, "(" .. params .. ")", en = row.en, zh = row.zh, more = more,
      example = method_example(row, as),
      alias_of = row.alias_of and registry.rows[row.alias_of].method and row.alias_of or nil,
      see = {"tl.host." .. name}}
  end
end

return {list}
