-- tl/host/kernels.lua: the kernels of ondevice.lua, as texts of moontile's own language, compiled when first asked for.

local tl -- on demand: tl requires tl.host

local M = {}

-- dtypes that kernels read and write; not uint64: integers are computed in int64
M.dtypes = {}
for name in ([[
  float64 float32 float16 bfloat16 float8_e4m3fn float8_e5m2 int64 int32 int16 int8 uint32 uint16 uint8 bool
]]):gmatch "%S+" do
  M.dtypes[name] = true
end

-- One element -------------------------------------------------------------------
-- Expressions in x, y, z, of the type that is computed in, and the numbers p, q, r.

local pick = "T.if_then_else(%s, %s, %s)"

-- of truth values, as numbers that are 0 or not
local both, not_y = "T.if_then_else(x ~= 0, %s, %s)", pick:format("y ~= 0", "zero", "one")

local floats = {
  copy = "x", neg = "-x", abs = "T.abs(x)", exp = "T.exp(x)", exp2 = "T.exp2(x)", log = "T.log(x)", log2 = "T.log2(x)",
  log10 = "T.log10(x)", log1p = "T.log1p(x)", sqrt = "T.sqrt(x)", rsqrt = "1 / T.sqrt(x)", reciprocal = "1 / x",
  square = "x * x", sin = "T.sin(x)", cos = "T.cos(x)", tan = "T.tan(x)", asin = "T.asin(x)", acos = "T.acos(x)",
  atan = "T.atan(x)", sinh = "T.sinh(x)", cosh = "T.cosh(x)", tanh = "T.tanh(x)", asinh = "T.asinh(x)",
  acosh = "T.acosh(x)", atanh = "T.atanh(x)", erf = "T.erf(x)", floor = "T.floor(x)", ceil = "T.ceil(x)",
  trunc = "T.trunc(x)", frac = "x - T.trunc(x)", sigmoid = "1 / (1 + T.exp(-x))", silu = "x / (1 + T.exp(-x))",
  sign = pick:format("x > 0", "one", pick:format("x < 0", "-one", "x")),
  relu = pick:format("x < 0", "zero", "x"),
  gelu = "x / 2 * (1 + T.erf(x * 0.70710678118654752440))",
  gelu_tanh = "x / 2 * (1 + T.tanh(0.79788456080286535588 * (x + 0.044715 * x * x * x)))",
  leaky_relu = pick:format("x > 0", "x", "x * p"),
  softplus = pick:format("x * p > q", "x", "T.log1p(T.exp(x * p)) / p"),
  isnan = "x ~= x", isinf = "T.abs(x) == T.infinity('float32')", isfinite = "T.abs(x) < T.infinity('float32')",
  logical_not = "x == 0",
  add = "x + p * y", sub = "x - p * y", mul = "x * y", div = "x / y", div_trunc = "T.trunc(x / y)",
  pow = "T.pow(x, y)", atan2 = "T.atan2(x, y)", fmod = "T.fmod(x, y)",
  maximum = pick:format("x ~= x", "x", pick:format("x > y", "x", "y")),
  minimum = pick:format("x ~= x", "x", pick:format("x < y", "x", "y")),
  eq = "x == y", ne = "x ~= y", lt = "x < y", le = "x <= y", gt = "x > y", ge = "x >= y",
  logical_and = both:format("y", "zero"), logical_or = both:format("one", "y"), logical_xor = both:format(not_y, "y"),
  where = pick:format("x ~= 0", "y", "z"), addcmul = "x + p * y * z", addcdiv = "x + p * y / z",
  clamp = pick:format("y ~= y", "y", pick:format("z ~= z", "z",
    pick:format("x < y", pick:format("y > z", "z", "y"), pick:format("x > z", "z", "x")))),
}

local ints = {
  copy = "x", neg = "-x", abs = "T.abs(x)", square = "x * x", logical_not = "x == 0", bitnot = "~x",
  sign = pick:format("x > 0", "one", pick:format("x < 0", "-one", "x")), relu = pick:format("x > 0", "x", "zero"),
  add = "x + p * y", sub = "x - p * y", mul = "x * y",
  maximum = pick:format("x > y", "x", "y"), minimum = pick:format("x < y", "x", "y"),
  eq = "x == y", ne = "x ~= y", lt = "x < y", le = "x <= y", gt = "x > y", ge = "x >= y",
  logical_and = both:format("y", "zero"), logical_or = both:format("one", "y"), logical_xor = both:format(not_y, "y"),
  bitand = "x & y", bitor = "x | y", bitxor = "x ~ y", where = pick:format("x ~= 0", "y", "z"),
  clamp = pick:format("x < y", pick:format("y > z", "z", "y"), pick:format("x > z", "z", "x")),
}

local tables = {float32 = floats, float64 = floats, int64 = ints}

-- Is there a kernel of an operator that computes in `as`?
function M.has(name, as) return tables[as][name] ~= nil end

-- Those operators.
function M.names(as) return tables[as] end

local made = {}

-- Nothing is to be told of these kernels, whose author is not the one who runs them.
local everything = setmetatable({}, {__index = function() return true end})

-- The kernel of a text, for a target.
local function kernel(target, text)
  local key = target .. "\n" .. text
  if not made[key] then
    tl = tl or require "moontile.tl"
    local f = assert(load(text, "=tl.host"))()
    f.opts.target, f.said = target, everything
    made[key] = f
  end
  return made[key]
end

local function lines(list) return table.concat(list, "\n") end

local letters = {"x", "y", "z"}

-- out[k] = an expression of inputs, dims of which lie apart: f(out, inputs .., n, sizes 2 .., strides of each, p, q, r).
-- n: how many elements; spread: out's lie apart too, its strides come before those of the inputs.
function M.elem(target, name, as, out, inputs, dims, spread)
  local params, types, loads = {"O"}, {'O: T.Tensor({T.dynamic "NO"}, "' .. out .. '")'}, {}
  for i, dtype in ipairs(inputs) do
    params[#params + 1] = "I" .. i
    types[#types + 1] = ('I%d: T.Tensor({T.dynamic "N%d"}, "%s")'):format(i, i, dtype)
  end
  local function number(name_, dtype)
    params[#params + 1] = name_
    types[#types + 1] = ("%s: T.%s"):format(name_, dtype)
  end
  local function place_of(prefix)
    local at = {}
    for d = 1, dims do
      number(("%s_%d"):format(prefix, d), "int64")
      at[d] = ("k%d * %s_%d"):format(d, prefix, d)
    end
    return table.concat(at, " + ")
  end
  local places = {"local k = T.cast(bx, 'int64') * 1024 + i"}
  number("n", "int64")
  for d = 2, dims do number("e" .. d, "int64") end
  for d = dims, 2, -1 do
    places[#places + 1] = ("local k%d = %s %% e%d"):format(d, d == dims and "k" or "r" .. d, d)
    places[#places + 1] = ("local r%d = %s // e%d"):format(d - 1, d == dims and "k" or "r" .. d, d)
  end
  places[#places + 1] = "local k1 = " .. (dims == 1 and "k" or "r1")
  local to = spread and place_of "o" or "k"
  for i in ipairs(inputs) do
    loads[i] = ("local %s = T.cast(I%d[%s], '%s')"):format(letters[i], i, place_of("s" .. i), as)
  end
  for _, p in ipairs {"p", "q", "r"} do number(p, as == "int64" and "int64" or as) end
  return kernel(target, lines {
    ("return tl.jit(function(%s)"):format(table.concat(params, ", ")),
    lines(types),
    "for bx in T.Kernel(T.cast(T.ceildiv(n, 1024), 'int32'), {threads = 256}) do",
    "  for i in T.Parallel(1024) do",
    "    " .. lines(places),
    "    if k < n then",
    ("      local one, zero = T.cast(1, '%s'), T.cast(0, '%s')"):format(as, as),
    "      " .. lines(loads),
    ("      O[%s] = %s"):format(to, tables[as][name]),
    "    end", "  end", "end", "end)",
  })
end

-- Many elements to one ----------------------------------------------------------

-- Where element number `of` of dims dimensions lies: lines that leave it in `to`.  Sizes e2 .. and strides s1 ..
-- have the prefix.
local function place(list, to, of, prefix, dims)
  local at, rest = {}, of
  for d = dims, 2, -1 do
    list[#list + 1] = ("local %sk%d = %s %% %se%d"):format(prefix, d, rest, prefix, d)
    list[#list + 1] = ("local %sr%d = %s // %se%d"):format(prefix, d - 1, rest, prefix, d)
    at[d] = ("%sk%d * %ss%d"):format(prefix, d, prefix, d)
    rest = ("%sr%d"):format(prefix, d - 1)
  end
  at[1] = ("%s * %ss1"):format(rest, prefix)
  list[#list + 1] = ("local %s = %s"):format(to, table.concat(at, " + "))
end

-- Names of such sizes and strides, as parameters.
local function sizes(list, prefix, dims)
  for d = 2, dims do list[#list + 1] = prefix .. "e" .. d end
  for d = 1, dims do list[#list + 1] = prefix .. "s" .. d end
end

-- name -> {what a thread begins with, what becomes of acc with x, the reduction of threads, of the result s}
local folds = {
  sum = {"zero", "acc[i] + x", "sum"}, mean = {"zero", "acc[i] + x", "sum", "s / T.cast(whole, as)"},
  abssum = {"zero", "acc[i] + T.abs(x)", "sum"}, count = {"zero", pick:format("x ~= 0", "acc[i] + 1", "acc[i]"), "sum"},
  any = {"zero", pick:format("x ~= 0", "one", "acc[i]"), "max"},
  all = {"one", pick:format("x == 0", "zero", "acc[i]"), "min"},
  norm2 = {"zero", "acc[i] + x * x", "sum", "T.sqrt(s)"}, rootsum = {"zero", "acc[i] + x", "sum", "T.sqrt(s)"},
  -- the first place of V's element, which is among them
  place = {"none", pick:format("same", pick:format("k < acc[i]", "k", "acc[i]"), "acc[i]"), "min"},
  max = {"least", pick:format("x > acc[i]", "x", "acc[i]"), "max"},
  min = {"most", pick:format("x < acc[i]", "x", "acc[i]"), "min"},
}
-- of parts that other threads have folded
local again = {count = "sum", abssum = "sum", norm2 = "rootsum"}

-- What folds the parts of a row that were folded apart.
function M.parts(name) return again[name] or name end

function M.folds(name) return folds[name] ~= nil end

local limits = {
  float32 = {"-T.infinity('float32')", "T.infinity('float32')"},
  float64 = {"-T.infinity('float64')", "T.infinity('float64')"},
  int64 = {"T.min_value('int64')", "T.max_value('int64')"},
}

-- O[row, part] = the fold of x's elements part * chunk .. of n: f(O, x, chunk, n, elements of a whole row, sizes and
-- strides of rows (a) and of what goes (b)).  last: the result, not a part of it.  NaN wins.  place: V [rows, 1] of the
-- dtype `value` comes behind; the places are int64.
function M.fold(target, name, as, out, dtype, rows, gone, last, value)
  local f, numbers, acc_as = folds[name], {"chunk", "n", "whole"}, name == "place" and "int64" or as
  sizes(numbers, "a", rows)
  sizes(numbers, "b", gone)
  local row, element = {}, {}
  place(row, "at", "row", "a", rows)
  place(element, "behind", "k", "b", gone)
  local nan = as ~= "int64" and (name == "max" or name == "min")
  return kernel(target, lines {
    ("local as = '%s'"):format(as),
    ("return tl.jit(function(O, I, %s)"):format(table.concat(numbers, ", ") .. (value and ", V" or "")),
    ('O: T.Tensor({T.dynamic "R", T.dynamic "P"}, "%s") I: T.Tensor({T.dynamic "N"}, "%s")'):format(out, dtype),
    (table.concat(numbers, ": T.int64 ") .. ": T.int64"),
    value and ('V: T.Tensor({T.dynamic "R", 1}, "%s")'):format(value) or "",
    "for bx, by in T.Kernel(O.shape[1], O.shape[2], {threads = 256}) do", -- rows may be many: the first has room
    ("  local acc, total = T.alloc_fragment({256}, '%s'), T.alloc_fragment({1}, '%s')"):format(acc_as, acc_as),
    nan and "  local bad, worst = T.alloc_fragment({256}, 'int32'), T.alloc_fragment({1}, 'int32')\n  T.clear(bad)" or "",
    "  local one, zero = T.cast(1, as), T.cast(0, as)",
    ("  local least, most = %s, %s"):format(limits[as][1], limits[as][2]),
    value and "  local none = T.max_value 'int64'" or "",
    "  local row = T.cast(bx, 'int64')",
    "  " .. lines(row),
    ("  T.fill(acc, %s)"):format(f[1]),
    "  local first = T.cast(by, 'int64') * chunk",
    "  local count = T.min(n - first, chunk)",
    "  for ko in T.serial(T.cast(T.ceildiv(count, 256), 'int32')) do",
    "    for i in T.Parallel(256) do",
    "      local q = T.cast(ko, 'int64') * 256 + i",
    "      if q < count then",
    "        local k = first + q",
    "        " .. lines(element),
    "        local x = T.cast(I[at + behind], as)",
    value and "        local v = T.cast(V[bx, 0], as)" or "",
    value and "        local same = T.if_then_else(x == v, T.bool(true), T.if_then_else(x ~= x, v ~= v, T.bool(false)))" or "",
    "        acc[i] = " .. f[2],
    nan and "        if x ~= x then bad[i] = 1 end" or "",
    "      end", "    end", "  end",
    ("  T.reduce_%s(acc, total)"):format(f[3]),
    nan and "  T.reduce_max(bad, worst)" or "",
    "  for i in T.Parallel(1) do",
    "    local s = total[i]",
    ("    local v = %s"):format(last and f[4] or "s"),
    nan and "    O[bx, by + i] = T.if_then_else(worst[i] > 0, T.cast(0, as) / T.cast(0, as), v)" or "    O[bx, by + i] = v",
    "  end", "end", "end)",
  })
end

-- O[row, k] = softmax of x's row, of n elements that are `step` apart; x's rows lie as sizes and strides say:
-- f(O, x, n, step, out's step, sizes and strides of rows in x, .. in O)
function M.softmax(target, logarithm, as, out, dtype, rows)
  local numbers = {"n", "step", "ostep"}
  sizes(numbers, "a", rows)
  sizes(numbers, "o", rows)
  local row = {}
  place(row, "at", "row", "a", rows)
  place(row, "to", "row", "o", rows)
  local loop = "  for ko in T.serial(T.cast(T.ceildiv(n, 256), 'int32')) do\n    for i in T.Parallel(256) do\n" ..
    "      local k = T.cast(ko, 'int64') * 256 + i\n      if k < n then\n        local x = T.cast(I[at + k * step], as)"
  return kernel(target, lines {
    ("local as = '%s'"):format(as),
    ("return tl.jit(function(O, I, rows, %s)"):format(table.concat(numbers, ", ")),
    ('O: T.Tensor({T.dynamic "M"}, "%s") I: T.Tensor({T.dynamic "N"}, "%s") rows: T.int64'):format(out, dtype),
    (table.concat(numbers, ": T.int64 ") .. ": T.int64"),
    "for bx in T.Kernel(T.cast(rows, 'int32'), {threads = 256}) do",
    "  local acc, top = T.alloc_fragment({256}, as), T.alloc_fragment({1}, as)",
    "  local sum, total = T.alloc_fragment({256}, as), T.alloc_fragment({1}, as)",
    "  local row = T.cast(bx, 'int64')",
    "  " .. lines(row),
    ("  T.fill(acc, %s)"):format(limits[as][1]),
    "  T.clear(sum)",
    loop, "        acc[i] = " .. pick:format("x > acc[i]", "x", "acc[i]"), "      end", "    end", "  end",
    "  T.reduce_max(acc, top)",
    loop, "        sum[i] = sum[i] + T.exp(x - top[0])", "      end", "    end", "  end",
    "  T.reduce_sum(sum, total)",
    loop, "        O[to + k * ostep] = " .. (logarithm and "x - top[0] - T.log(total[0])" or "T.exp(x - top[0]) / total[0]"),
    "      end", "    end", "  end",
    "end", "end)",
  })
end

-- Products of matrices ------------------------------------------------------------

-- O[b] = X[b] Y[b], [m, k] and [k, n], where xt or yt as their transposes; one for all b where xs or ys:
-- f(O, X, Y).  p: {m, n, k, xt, yt, xs, ys, dtype, out}
function M.product(target, p)
  local tall = p.m > 64 and 128 or 64
  local wide = p.n > 64 and 128 or 64
  local deep = p.dtype == "float32" and 16 or 32
  local function shape(turned, r, c) return turned and ("%s, %s"):format(c, r) or ("%s, %s"):format(r, c) end
  local function from(name, turned, one, r, c)
    return ("%s[%s, %s]"):format(name, one and "0" or "bz", shape(turned, r, c))
  end
  return kernel(target, lines {
    ("local M, N, K, BM, BN, BK, D, OUT = %d, %d, %d, %d, %d, %d, '%s', '%s'"):format(p.m, p.n, p.k, tall, wide, deep,
      p.dtype, p.out),
    "return tl.jit(function(O, X, Y)",
    'O: T.Tensor({T.dynamic "B", M, N}, OUT)',
    ('X: T.Tensor({T.dynamic "BX", %s}, D) Y: T.Tensor({T.dynamic "BY", %s}, D)'):format(shape(p.xt, "M", "K"),
      shape(p.yt, "K", "N")),
    "for bx, by, bz in T.Kernel(T.ceildiv(N, BN), T.ceildiv(M, BM), O.shape[1], {threads = 128}) do",
    ("  local x, y = T.alloc_shared({%s}, D), T.alloc_shared({%s}, D)"):format(shape(p.xt, "BM", "BK"),
      shape(p.yt, "BK", "BN")),
    "  local c = T.alloc_fragment({BM, BN}, 'float32')",
    "  T.clear(c)",
    "  for k in T.Pipelined(T.ceildiv(K, BK), {num_stages = 2}) do",
    ("    T.copy(%s, x)"):format(from("X", p.xt, p.xs, "by * BM", "k * BK")),
    ("    T.copy(%s, y)"):format(from("Y", p.yt, p.ys, "k * BK", "bx * BN")),
    ("    T.gemm(x, y, c, {transpose_A = %s, transpose_B = %s})"):format(p.xt, p.yt),
    "  end",
    "  T.copy(c, O[bz, by * BM, bx * BN])",
    "end", "end)",
  })
end

return M
