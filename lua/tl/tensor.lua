-- moontile.tl.tensor: host tensors: tl.randn, tl.zeros, ..., and the methods
-- and operators of the type.  The elements live in C (lua/seam/tensor.c); this file
-- is names, defaults and rules.
--
--   a = tl.randn({1024, 512}, "float16")
--   print(a[{0, 0}], a.shape[1], (a * 2):sum(), a:to("float32"):max(1))

local accept = require "moontile.base.accept"
local stage = require "moontile.stage"
local tensor = require "moontile.tensor"
local ir = require "moontile.ir"
local ref = require "moontile.ref"
local diag = require "moontile.diag"
local suggest = require "moontile.base.suggest"
local words = require "moontile.base.translations"

local M = {doc = {}}

-- What the other files of tl share with this one.
local rules = {}
M.rules = rules

local methods, meta = tensor.methods, tensor.meta
local fail = diag.fail

-- Raises: argument `which` must be of a kind, v is not.
local function wrong(which, want, v)
  fail("tensor_arg", which, words.kind(want), words.kind(math.type(v) or type(v)))
end
rules.wrong = wrong

local zh = {
  zeros = "全零张量", ones = "全一张量",
  full = "各元素为同一值的张量；省略 dtype 时随值取 float32、int64 或 bool",
  empty = "内容无意义的张量：浮点为 NaN，整数为最小值，以便发现没有写入的元素",
  arange = "从 start 到 stop（不含）的数；参数为整数时得 int64，否则 float32",
  from_table = "由嵌套表或一个数得到张量；dtype 随元素取 float32、int64 或 bool",
  manual_seed = "以 n 为种子重新开始随机数；会话开始时种子为 0",
  randn = "标准正态随机数（均值 0，标准差 1），在任何机器上都相同",
  rand = "[0, 1) 上的均匀随机数", randint = "[lo, hi) 中的随机整数",
  full_like = "同 tl.full，形状与 dtype 取自 t", randint_like = "同 tl.randint，形状与 dtype 取自 t",
  istensor = "x 是否为张量", slice = "从 lo 到 hi（不含）每 step 个取一个，作张量的下标", equal = "形状、dtype 与每个值是否都相同；NaN 不等于任何值",
  load = "读取 .npy 文件为张量，.npz 文件为张量表；dtype 指明原始单字节元素的类型",
  save = "把张量写为 .npy，把按名称的张量表写为 .npz",
}
for _, name in ipairs {"zeros", "ones", "empty", "rand", "randn"} do
  zh[name .. "_like"] = ("同 tl.%s，形状与 dtype 取自 t"):format(name)
end

local function doc(name, sig, summary, example)
  M.doc[name] = {sig = sig, summary = summary, summary_zh = zh[name], example = example}
end

-- Arguments -------------------------------------------------------------------

local info = {} -- dtype -> what moontile.ref.dtype says

local function dtype_info(name)
  local d = info[name]
  if not d then
    local canonical, bits, class, min, max, eps = ref.dtype(name)
    d = {name = canonical, bits = bits, class = class, min = min, max = max, eps = eps}
    info[name] = d
  end
  return d
end
rules.dtype_info = dtype_info

-- Options in a last table: only known keys.
local function options(name, given, known)
  if given == nil then return {} end
  if type(given) ~= "table" then
    wrong(name, "table", given)
  end
  for k in pairs(given) do
    if known[k] == nil then
      local names = {}
      for key in pairs(known) do names[#names + 1] = key end
      table.sort(names)
      fail("tensor_option", name, k, table.concat(names, ", "))
    end
  end
  return given
end
rules.options = options

-- A dtype argument: a name, {dtype = name} or nothing.
local function dtype_arg(name, d, default)
  if type(d) == "table" and getmetatable(d) == nil then
    d = options(name, d, {dtype = true}).dtype
  end
  return d or default
end

-- Refuses what follows the `takes` arguments of name.
local function no_more(name, takes, ...)
  for i = 1, select("#", ...) do
    local v = select(i, ...)
    if type(v) == "table" and getmetatable(v) == nil then
      options(name, v, {dtype = true})
    end
    if v ~= nil then
      fail("arg_many", name, takes, takes + i, "tl." .. M.doc[name:sub(4)].sig)
    end
  end
end

local function check(t, which)
  if not tensor.istensor(t) then
    wrong(which or "#1", "tensor", t)
  end
  return t
end
rules.check = check

-- Making -----------------------------------------------------------------------

local function same(name, t, dtype, ...)
  check(t)
  no_more(name, 2, ...)
  return t.shape, dtype_arg(name, dtype, t.dtype)
end

-- Shapes may also be given as numbers one by one, tl.zeros(4, 8).
local function shape_args(name, default, ...)
  local n = select("#", ...)
  local first = ...
  if type(first) == "table" or n == 1 then
    local _, d = ...
    no_more(name, 2, select(3, ...))
    return first, dtype_arg(name, d, default)
  end
  local shape = {}
  for i = 1, n do
    local v = select(i, ...)
    if type(v) == "number" then
      shape[#shape + 1] = v
    else
      no_more(name, i, select(i + 1, ...))
      return #shape > 0 and shape or v, dtype_arg(name, v, default)
    end
  end
  return shape, default
end

doc("zeros", "zeros(shape, dtype = \"float32\")", "a tensor of zeros",
  "tl.zeros({4, 8}, \"float16\")")
function M.zeros(...)
  local shape, dtype = shape_args("tl.zeros", "float32", ...)
  return tensor.new(shape, dtype)
end

doc("ones", "ones(shape, dtype = \"float32\")", "a tensor of ones", "tl.ones({4, 8})")
function M.ones(...)
  local shape, dtype = shape_args("tl.ones", "float32", ...)
  return tensor.new(shape, dtype):fill_(1)
end

doc("full", "full(shape, value, dtype)",
  "a tensor of one value; without dtype float32, int64 or bool, as the value is",
  "tl.full({4}, 2.5)")
function M.full(shape, value, dtype, ...)
  no_more("tl.full", 3, ...)
  local default = math.type(value) == "integer" and "int64"
    or type(value) == "boolean" and "bool" or "float32"
  return tensor.new(shape, dtype_arg("tl.full", dtype, default)):fill_(value)
end

doc("empty", "empty(shape, dtype = \"float32\")",
  "a tensor without meaningful contents: NaN in floats, the smallest value in integers, so that "
    .. "unwritten elements show", "tl.empty({1024})")
function M.empty(...)
  local shape, dtype = shape_args("tl.empty", "float32", ...)
  local t = tensor.new(shape, dtype)
  local d = dtype_info(t.dtype)
  local poison = d.class == "F" and 0 / 0 or d.class == "I" and d.min or d.max
  return t:fill_(poison)
end

doc("arange", "arange([start,] stop [, step], dtype)",
  "the numbers from start to before stop; int64 for integers, else float32",
  "tl.arange(0, 10, 2)")
function M.arange(...)
  local v, dtype = {}, nil
  for i = 1, select("#", ...) do
    local x = select(i, ...)
    if type(x) == "number" and #v < 3 and not dtype then
      v[#v + 1] = x
    elseif x ~= nil then
      dtype = dtype_arg("tl.arange", x)
    end
  end
  if #v == 0 then
    wrong("stop", "number", (...))
  end
  local start, stop, step = 0, v[1], v[3] or 1
  if #v > 1 then start, stop = v[1], v[2] end
  local ints = math.type(start) == "integer" and math.type(stop) == "integer"
    and math.type(step) == "integer"
  return tensor.arange(start, stop, step, dtype or (ints and "int64" or "float32"))
end

doc("from_table", "from_table(t, dtype)",
  "a tensor of nested tables, or of a number; float32, int64 or bool as the elements are",
  "tl.from_table({{1, 2}, {3, 4}}, \"float16\")")
function M.from_table(t, dtype, ...)
  no_more("tl.from_table", 2, ...)
  if tensor.istensor(t) then
    return t:astype(dtype_arg("tl.from_table", dtype, t.dtype))
  end
  return tensor.from_table(t, dtype_arg("tl.from_table", dtype))
end

doc("manual_seed", "manual_seed(n)",
  "starts the random numbers of seed n; the seed is 0 when a session begins", "tl.manual_seed(42)")
function M.manual_seed(n)
  if math.type(n) ~= "integer" then
    wrong("seed", "integer", n)
  end
  tensor.seed(n)
end

-- For a block: random numbers of seed n in it, behind it those that would have come.
--     local _ <close> = tensors.seeded(n)
function M.seeded(n)
  local seed, draw = tensor.seed(n)
  return setmetatable({}, {__close = function() tensor.seed(seed, draw) end})
end

doc("randn", "randn(shape, dtype = \"float32\")",
  "normal random numbers, mean 0 and deviation 1, the same on every machine",
  "tl.randn({1024, 512}, \"float16\")")
function M.randn(...)
  local shape, dtype = shape_args("tl.randn", "float32", ...)
  return tensor.randn(shape, dtype)
end

doc("rand", "rand(shape, dtype = \"float32\")", "uniform random numbers in [0, 1)", "tl.rand({16})")
function M.rand(...)
  local shape, dtype = shape_args("tl.rand", "float32", ...)
  return tensor.rand(shape, dtype)
end

local function bounds(lo, hi)
  for name, v in pairs {lo = lo or false, hi = hi or false} do
    if math.type(v) ~= "integer" then
      wrong(name, "integer", v)
    end
  end
end

doc("randint", "randint([lo,] hi, shape, dtype = \"int64\")", "random integers in [lo, hi)",
  "tl.randint(-2, 3, {16}, \"int8\")")
function M.randint(lo, hi, shape, dtype, ...)
  if type(hi) == "table" then
    no_more("tl.randint", 3, dtype, ...)
    lo, hi, shape, dtype = 0, lo, hi, shape
  else
    no_more("tl.randint", 4, ...)
  end
  bounds(lo, hi)
  return tensor.randint(lo, hi, shape, dtype_arg("tl.randint", dtype, "int64"))
end

local likes = {"zeros", "ones", "empty", "rand", "randn"}
for _, name in ipairs(likes) do
  local like = name .. "_like"
  doc(like, like .. "(t, dtype)", "as tl." .. name .. ", with t's shape and dtype",
    "tl." .. like .. "(x)")
  M[like] = function(...)
    return M[name](same("tl." .. like, ...))
  end
end

doc("full_like", "full_like(t, value, dtype)", "as tl.full, with t's shape and dtype",
  "tl.full_like(x, 3)")
function M.full_like(t, value, dtype, ...)
  no_more("tl.full_like", 3, ...)
  local shape, d = same("tl.full_like", t, dtype)
  return tensor.new(shape, d):fill_(value)
end

doc("randint_like", "randint_like(t, lo, hi, dtype)", "as tl.randint, with t's shape and dtype",
  "tl.randint_like(x, 0, 16)")
function M.randint_like(t, lo, hi, dtype, ...)
  no_more("tl.randint_like", 4, ...)
  local shape, d = same("tl.randint_like", t, dtype)
  bounds(lo, hi)
  return tensor.randint(lo, hi, shape, d)
end

doc("istensor", "istensor(x)", "whether x is a tensor", "print(tl.istensor(x))")
M.istensor = tensor.istensor

doc("equal", "equal(a, b)", "whether shape, dtype and every value agree; NaN never does",
  "print(tl.equal(a, b))")
function M.equal(a, b)
  return tensor.equal(check(a, "#1"), check(b, "#2"))
end

-- Arithmetic -------------------------------------------------------------------

local wider = {[4] = 8, [8] = 16, [16] = 32, [32] = 64, [64] = 64}

-- The dtype of an operation on two tensors, as PyTorch promotes: a float wins
-- over integers, the wider over the narrower; float16 with bfloat16 is float32;
-- an unsigned type with a signed one of its width or less takes the next width.
local function promote(a, b)
  if a == b then return a end
  local x, y = dtype_info(a), dtype_info(b)
  if x.class ~= y.class then
    local rank = {B = 0, U = 1, I = 1, F = 2}
    if rank[x.class] ~= rank[y.class] then
      return rank[x.class] > rank[y.class] and a or b
    end
    local signed, unsigned = x, y
    if x.class == "U" then signed, unsigned = y, x end
    return "int" .. math.max(signed.bits, wider[unsigned.bits])
  end
  if x.bits ~= y.bits then
    return x.bits > y.bits and a or b
  end
  return x.bits == 32 and "float32" or x.bits == 16 and "float32" or "float16"
end
rules.promote = promote

local function shape_text(t)
  return "(" .. table.concat(t.shape, ", ") .. ")"
end
rules.shape_text = shape_text

-- Operators of Lua; the rows of tl.host do the work.
local function row(name)
  require "moontile.tl.host"
  return require("moontile.tl.host.registry").rows[name].fn
end

local events = {__add = "add", __sub = "sub", __mul = "mul", __div = "div", __pow = "pow",
  __idiv = "floor_divide", __mod = "remainder", __band = "bitwise_and", __bor = "bitwise_or",
  __bxor = "bitwise_xor", __shl = "bitwise_left_shift", __shr = "bitwise_right_shift"}
for event, op in pairs(events) do
  meta[event] = function(a, b)
    for _, v in ipairs {a, b} do
      if not tensor.istensor(v) and type(v) ~= "number" and type(v) ~= "boolean" then
        fail("tensor_value", tostring(v))
      end
    end
    return (row(op)(a, b))
  end
end
meta.__unm = function(t) return (row "neg"(t)) end
meta.__bnot = function(t) return (row "bitwise_not"(t)) end

-- Lua makes one boolean of a comparison, so it cannot give a tensor.
local function order()
  fail("tensor_order")
end
meta.__lt, meta.__le = order, order

-- Reductions -------------------------------------------------------------------

local function total_number(op, t, v)
  local class = dtype_info(t.dtype).class
  if op == "any" or op == "all" then return v ~= 0 end
  if op:sub(1, 3) == "arg" or (class ~= "F" and op ~= "mean") then
    return math.tointeger(v) or v
  end
  return v
end

-- What a reduction along an axis gives, beside float64.
local function reduced_dtype(op, t)
  if op == "any" or op == "all" then return "bool" end
  if op:sub(1, 3) == "arg" then return "int64" end
  if op == "max" or op == "min" or op == "absmax" then return t.dtype end
  return dtype_info(t.dtype).class ~= "F" and op ~= "mean" and "int64" or "float64"
end

-- An axis counted from 0, negative from the end.
local function axis_arg(t, axis, extra)
  local n = t.ndim + (extra or 0)
  if math.type(axis) ~= "integer" then
    wrong("axis", "integer", axis)
  end
  if axis < -n or axis >= n then
    if rules.no_axis then rules.no_axis(t, axis, n) end
    fail("tensor_axis", axis, t.ndim, n == 0 and "none" or ("0 .. %d, -%d .. -1"):format(n - 1, n))
  end
  return axis < 0 and axis + n or axis
end
rules.axis_arg = axis_arg

-- reduce(op, t) -> number; reduce(op, t, axis, keepdim, dtype) -> tensor
local function reduce(op, t, axis, keepdim, dtype)
  check(t)
  local needs = op == "max" or op == "min" or op == "mean" or op:sub(1, 3) == "arg"
  if axis == nil then
    if needs and t:numel() == 0 then
      fail("tensor_empty", op, shape_text(t))
    end
    return total_number(op, t, ref.total(op, t))
  end
  if type(keepdim) == "table" then
    keepdim = options("t:" .. op, keepdim, {keepdim = true}).keepdim
  end
  local d = axis_arg(t, axis)
  local shape = t.shape
  if needs and shape[d + 1] == 0 then
    fail("tensor_empty", op, shape_text(t))
  end
  table.remove(shape, d + 1)
  local out = tensor.new(shape, dtype or reduced_dtype(op, t))
  ref.reduce(op, out, t, d)
  return keepdim and out:unsqueeze(d) or out
end
rules.reduce = reduce

-- Of all elements, as a number.
function rules.total(op, t)
  return reduce(op, t)
end

-- Other methods ------------------------------------------------------------------

function methods.float(t) return t:astype("float32") end
function methods.half(t) return t:astype("float16") end
function methods.double(t) return t:astype("float64") end
function methods.bfloat16(t) return t:astype("bfloat16") end
function methods.int(t) return t:astype("int32") end
function methods.long(t) return t:astype("int64") end
function methods.bool(t) return t:astype("bool") end

-- Host tensors live in memory that every local target sees: moving one is
-- naming it.
function methods.cpu(t) return t end
function methods.cuda(t) return t end

-- One thing that a tensor can be moved or converted to: a target, a dtype, another tensor's.
local function to_one(t, where)
  if tensor.istensor(where) then return t:astype(where.dtype) end
  local word = tostring(where):match("^[%w_]+") or ""
  if word == "auto" or ir.target(word) then return t end
  local ok, d = pcall(ref.dtype, where)
  if not ok then
    fail("tensor_target", tostring(where), "auto, " .. table.concat(ir.targets(), ", "))
  end
  return t:astype(d)
end

-- t:to("float16"), t:to("cuda", "float16"), t:to(other), t:to {dtype = "float16", copy = true}
function methods.to(t, ...)
  local list = table.pack(...)
  local named = tensor.isplain(list[list.n]) and list[list.n] or nil
  local r = t
  for i = 1, named and list.n - 1 or list.n do
    if type(list[i]) ~= "boolean" then r = to_one(r, list[i]) end -- non_blocking
  end
  if list.n == 0 then r = to_one(t, nil) end
  local o = options("t:to", named, {dtype = true, device = true, copy = true, non_blocking = true})
  if o.device then r = to_one(r, o.device) end
  if o.dtype then r = to_one(r, o.dtype) end
  return o.copy and r == t and t:copy() or r
end

function methods.dim(t) return t.ndim end

function methods.size(t, axis)
  if axis == nil then return t.shape end
  return t.shape[axis_arg(t, axis) + 1]
end

-- Indices that are neither numbers nor slices, tl.slice's third part.
rules.newaxis = setmetatable({}, {__name = "newaxis", __tostring = function() return "newaxis" end})
rules.ellipsis = setmetatable({}, {__name = "ellipsis", __tostring = function() return "..." end})
M.newaxis, M.ellipsis = rules.newaxis, rules.ellipsis
M.doc.newaxis = {sig = "newaxis", summary = "an index that makes a new dimension of 1",
  summary_zh = "添加大小为 1 的新维的下标", example = "print(w[{tl.newaxis, tl.slice(0, 2)}])"}
M.doc.ellipsis = {sig = "ellipsis", summary = "an index for all dimensions that the others leave",
  summary_zh = "代表其余各维的下标", example = "print(x[{tl.ellipsis, 0}])"}

-- A slice with a step is no slice of kernels.
local Stepped = {__name = "stepped slice"}
function Stepped.__tostring(s)
  return ("%s:%s:%s"):format(s.lo or "", s.hi or "", s.step)
end

doc("slice", "slice(lo, hi, step)", "the indices lo to before hi, every step-th, as an index of a tensor",
  "print(x[{0, tl.slice(0, 8, 2)}])")
function M.slice(lo, hi, step)
  for name, v in pairs {lo = lo, hi = hi, step = step} do
    if math.type(v) ~= "integer" then
      wrong(name, "integer", v)
    end
  end
  if step == nil or step == 1 then return stage.slice(lo, hi) end
  return setmetatable({lo = lo, hi = hi, step = step}, Stepped)
end

function methods.allclose(a, b, rtol, atol)
  return require("moontile.tl.testing").allclose(a, b, rtol, atol)
end

accept.guard(methods, {what = "tensor:", self = {tensor.istensor, "a tensor"}}, {
  float = {}, half = {}, double = {}, bfloat16 = {}, int = {}, long = {}, bool = {},
  cpu = {}, cuda = {}, to = {}, dim = {}, size = {},
})

-- Most methods come with tl.host, when the first of them is asked for; of the same names in C the
-- rows of tl.host make use.
rules.views = {}
for _, name in ipairs {"reshape", "view", "unsqueeze", "squeeze", "expand", "permute", "transpose"} do
  rules.views[name], methods[name] = methods[name], nil
end

setmetatable(methods, {__index = function(_, key)
  if not package.loaded["moontile.tl.host"] then
    require "moontile.tl.host"
    return methods[key]
  end
  local names = {"shape", "dtype", "ndim", "strides", "T", "mT"}
  for name in pairs(methods) do names[#names + 1] = name end
  table.sort(names)
  local n = suggest.find(key, names)
  if n then
    fail("tensor_field", key, n)
  end
  fail("tensor_nofield", key, "shape, dtype, ndim, to, item, ...")
end})

meta.__tostring = function(t)
  return require("moontile.tl.show").tensor(t)
end

-- Files --------------------------------------------------------------------------

doc("load", "load(path, {dtype})",
  "reads a .npy file as a tensor, a .npz file as a table of tensors; dtype says what raw "
  .. "one-byte elements are", "tl.save(\"x.npy\", x)\nprint(tl.load(\"x.npy\"))")
function M.load(path, opts)
  local o = options("tl.load", opts, {dtype = true})
  if type(path) ~= "string" then
    wrong("path", "string", path)
  end
  return require("moontile.npy").load(path, o.dtype)
end

doc("save", "save(path, t, {compress = true})",
  "writes a tensor as .npy, a table of named tensors as .npz", "tl.save(\"x.npy\", x)")
function M.save(path, t, opts)
  if tensor.istensor(path) or (type(path) == "table" and type(t) == "string") then
    path, t = t, path
  end
  local o = options("tl.save", opts, {compress = true})
  if type(path) ~= "string" then
    wrong("path", "string", path)
  end
  local npy = require "moontile.npy"
  if tensor.istensor(t) then
    return npy.save(path, t)
  elseif type(t) ~= "table" then
    wrong("#2", "tensor", t)
  end
  local names, list = {}, {}
  for k, v in pairs(t) do
    if type(k) ~= "string" or not k:find("^[%w_][%w_.-]*$") then
      fail("npz_name", tostring(k))
    end
    names[#names + 1] = k
    check(v, k)
  end
  table.sort(names)
  for i, k in ipairs(names) do list[i] = t[k] end
  npy.savez(path, names, list, o.compress ~= false)
end

-- What follows is not tl's: without a doc.

-- A tensor of this shape whose elements are so far apart, a part of a wider one, unset; nil where
-- no such part has these strides.
function M.apart(shape, strides, dtype)
  local wide, n = {shape[1]}, #shape
  for d = 2, n do
    wide[d] = strides[d] > 0 and strides[d - 1] // strides[d] or 0
    if wide[d] < shape[d] or wide[d] * strides[d] ~= strides[d - 1] then
      return nil
    end
  end
  if n == 0 or strides[n] ~= 1 then
    return nil
  end
  local part = {}
  for d, extent in ipairs(shape) do
    part[d] = stage.slice(0, extent)
  end
  return tensor.new(wide, dtype)[part]
end

-- A copy whose elements are as far apart where that can be.
function M.same_copy(t)
  local c = t:copy()
  if table.concat(c.strides, ",") == table.concat(t.strides, ",") then
    return c
  end
  local r = M.apart(t.shape, t.strides, t.dtype) -- of one row, too
  return r and r:copy_(c) or c
end

-- The values, and of the tensors among them copies: what a kernel may write to.
function M.copies(values)
  local r = {}
  for i, v in ipairs(values) do
    r[i] = tensor.istensor(v) and M.same_copy(v) or v
  end
  return r
end

return M
