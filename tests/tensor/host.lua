-- Operators of tl.host against slow references in this file: each element is computed from its
-- indices, in Lua's own numbers, and rounded by tl.tensor's conversion.  Random shapes, strides and
-- dtypes; what differs is printed.
local h = tl.host
local seed = 1
local function random(n) -- 0 .. n - 1, the same everywhere
  seed = (seed * 6364136223846793005 + 1442695040888963407)
  return (seed >> 33) % n
end
local function pick(list) return list[random(#list) + 1] end

local floats, ints = {"float16", "bfloat16", "float32", "float64"}, {"int8", "uint8", "int32", "int64"}
local function isfloat(d) return d:find "float" ~= nil end

-- A tensor of small numbers; one in three is a view with other strides.
local function make(shape, dtype)
  local t
  if dtype == "bool" then t = tl.randint(0, 2, shape, "int32"):bool()
  elseif isfloat(dtype) then t = tl.randn(shape, "float32"):to(dtype)
  else t = tl.randint(dtype == "uint8" and 0 or -5, 6, shape, dtype) end
  local way = random(3)
  if way == 1 and #shape > 1 then
    local order, back = {}, {}
    for d = 1, #shape do order[d] = #shape - d end
    for d = 1, #shape do back[d] = #shape - d end
    t = t:permute(order):contiguous():permute(back)
  elseif way == 2 and #shape > 0 then
    local wide = table.move(shape, 1, #shape, 1, {})
    wide[#wide] = wide[#wide] * 2 + 1
    local w = tl.zeros(wide, dtype)
    local key = {}
    for d = 1, #shape - 1 do key[d] = tl.slice() end
    key[#shape] = tl.slice(1, 2 * shape[#shape] + 1, 2)
    local v = w[key]
    t = tl.istensor(v) and v:copy_(t) or t
  end
  return t
end
local function shape_of(least, most)
  local s = {}
  for d = 1, least + random(most - least + 1) do s[d] = 1 + random(4) end
  return s
end

-- Every index of a shape, from 0, in row-major order.
local function indices(shape)
  local list, n = {{}}, 0
  for _, e in ipairs(shape) do
    local longer = {}
    for _, idx in ipairs(list) do
      for i = 0, e - 1 do
        local k = table.move(idx, 1, #idx, 1, {})
        k[#k + 1] = i
        longer[#longer + 1] = k
      end
    end
    list, n = longer, n + 1
  end
  return list
end
local function number(v) return v == true and 1 or v == false and 0 or v end
local function get(t, idx)
  local k, lead = {}, #idx - t.ndim
  for d = 1, t.ndim do k[d] = t.shape[d] == 1 and 0 or idx[d + lead] end
  return number(t.ndim == 0 and t:item() or t:item(table.unpack(k)))
end
local function broadcast(...)
  local n, shape = 0, {}
  for _, t in ipairs {...} do n = math.max(n, t.ndim) end
  for d = 1, n do
    shape[d] = 1
    for _, t in ipairs {...} do
      local e = t.shape[d - n + t.ndim] or 1
      if e ~= 1 then shape[d] = e end
    end
  end
  return shape
end

local checks, wrong = 0, 0
local function same(a, b, tolerance)
  if a ~= a or b ~= b then return a ~= a and b ~= b end
  return a == b or math.abs(a - b) <= tolerance * math.max(1e-3, math.abs(b))
end
local eps = {float16 = 1e-3, bfloat16 = 8e-3, float32 = 2e-7, float64 = 1e-12}

-- t is dtype [shape], its elements are f(idx): of floats to within half a place of the dtype.
local function expect(name, t, dtype, shape, f)
  checks = checks + 1
  if t.dtype ~= dtype or table.concat(t.shape, ",") ~= table.concat(shape, ",") then
    wrong = wrong + 1
    print(name, "got", t.dtype, t.shape, "want", dtype, table.concat(shape, ","))
    return
  end
  for _, idx in ipairs(indices(shape)) do
    local want, got = number(f(idx)), get(t, idx)
    if not same(got, want, (eps[dtype] or 0)) then
      wrong = wrong + 1
      print(name, dtype, "[" .. table.concat(idx, ",") .. "]", "got", got, "want", want)
      return
    end
  end
end

local function wrap(v, dtype) -- as an integer dtype stores it
  return tl.from_table(math.tointeger(v) or v, "int64"):to(dtype):item()
end

-- Elements ------------------------------------------------------------------------------
local m = math
local unary = {
  neg = function(x) return -x end, abs = m.abs, square = function(x) return x * x end,
  sign = function(x) return x > 0 and 1 or x < 0 and -1 or 0 end,
  relu = function(x) return m.max(x, 0) end, exp = m.exp, exp2 = function(x) return 2.0 ^ x end,
  log = function(x) return x < 0 and 0 / 0 or m.log(x) end, sqrt = function(x) return x < 0 and 0 / 0 or m.sqrt(x) end,
  rsqrt = function(x) return x < 0 and 0 / 0 or 1 / m.sqrt(x) end, reciprocal = function(x) return 1 / x end,
  sin = m.sin, cos = m.cos, tan = m.tan, atan = m.atan,
  tanh = function(x) return (m.exp(x) - m.exp(-x)) / (m.exp(x) + m.exp(-x)) end,
  sigmoid = function(x) return 1 / (1 + m.exp(-x)) end, silu = function(x) return x / (1 + m.exp(-x)) end,
  logsigmoid = function(x) return -m.log(1 + m.exp(-x)) end, softplus = function(x) return m.log(1 + m.exp(x)) end,
  floor = m.floor, ceil = m.ceil, trunc = function(x) return x < 0 and m.ceil(x) or m.floor(x) end,
  isnan = function(x) return x ~= x end, isfinite = function(x) return x == x and m.abs(x) < m.huge end,
  logical_not = function(x) return x == 0 end,
}
local keep = {neg = true, abs = true, square = true, sign = true, relu = true, floor = true, ceil = true, trunc = true}
local test = {isnan = true, isfinite = true, logical_not = true}
local names = {}
for name in pairs(unary) do names[#names + 1] = name end
table.sort(names)
for round = 1, 6 do
  for _, name in ipairs(names) do
    local dtype = pick(random(3) == 0 and ints or floats)
    local x = make(shape_of(0, 4), dtype)
    local result = test[name] and "bool" or (keep[name] or isfloat(dtype)) and dtype or "float32"
    local loose = isfloat(result) and 1 or nil
    expect(name, h[name](x), result, x.shape, function(idx)
      local v = unary[name](get(x, idx))
      return not loose and not test[name] and wrap(v, result) or v
    end)
  end
end

local function floordiv(x, y) return y == 0 and x / y or x // y end
local binary = {
  add = function(x, y) return x + y end, sub = function(x, y) return x - y end, mul = function(x, y) return x * y end,
  maximum = m.max, minimum = m.min, div = function(x, y) return x / y end,
  floor_divide = floordiv, remainder = function(x, y) return y == 0 and 0 / 0 or x % y end,
  fmod = function(x, y) return y == 0 and 0 / 0 or m.fmod(x, y) end,
  eq = function(x, y) return x == y end, lt = function(x, y) return x < y end, ge = function(x, y) return x >= y end,
  logical_and = function(x, y) return x ~= 0 and y ~= 0 end, logical_xor = function(x, y) return (x ~= 0) ~= (y ~= 0) end,
  bitwise_and = function(x, y) return x & y end, bitwise_or = function(x, y) return x | y end,
  bitwise_xor = function(x, y) return x ~ y end, hypot = function(x, y) return m.sqrt(x * x + y * y) end,
}
local compares = {eq = true, lt = true, ge = true, logical_and = true, logical_xor = true}
-- the result's dtype, written out
local order = {bool = 0, uint8 = 1, int8 = 2, int32 = 3, int64 = 4, float16 = 5, bfloat16 = 5.5, float32 = 6, float64 = 7}
local function promoted(a, b)
  if a == b then return a end
  if a == "uint8" and b == "int8" or a == "int8" and b == "uint8" then return "int16" end
  if isfloat(a) and isfloat(b) and order[a] < 6 and order[b] < 6 then return "float32" end
  return order[a] > order[b] and a or b
end
names = {}
for name in pairs(binary) do names[#names + 1] = name end
table.sort(names)
for round = 1, 6 do
  for _, name in ipairs(names) do
    local bits = name:find "bitwise"
    local dx, dy = pick(random(2) == 0 and ints or bits and ints or floats), pick(random(2) == 0 and ints or bits and ints or floats)
    local shape = shape_of(1, 4)
    local low = table.move(shape, 1 + random(#shape), #shape, 1, {})
    for d = 1, #low do low[d] = random(3) == 0 and 1 or low[d] end
    local x, y = make(shape, dx), make(low, dy)
    if name == "floor_divide" or name == "remainder" or name == "fmod" then y = h.where(y:eq(0), h.full_like(y, 3), y) end
    local result = promoted(dx, dy)
    if #low == 0 then -- raises the kind, not the width
      result = isfloat(dy) and not isfloat(dx) and dy or dx
    end
    local kind = compares[name] and "bool" or (name == "div" or name == "hypot") and not isfloat(result) and "float32" or result
    if random(2) == 0 and not name:find "[dv]" then x, y = y, x end
    expect(name, h[name](x, y), kind, broadcast(x, y), function(idx)
      local v = binary[name](get(x, idx), get(y, idx))
      return not isfloat(kind) and kind ~= "bool" and wrap(v, kind) or v
    end)
  end
end
-- numbers keep the dtype
for _, d in ipairs {"float16", "int8", "bool"} do
  local x = make({3}, d)
  print(d, (x + 1).dtype, (x + 1.5).dtype, (x * 2).dtype, (x / 2).dtype, (2 - x).dtype, h.pow(x:to "int32", 2).dtype, x:lt(0.5).dtype)
end
print(tl.from_table({0.1}, "float32"):eq(0.1), tl.from_table({0.1}, "float16"):eq(0.1), tl.from_table({0.1}, "float16") * 0.1)
print(h.result_type(tl.ones({2}, "int8"), tl.from_table(5)), h.result_type(tl.ones({2}, "int8"), tl.from_table(5.0)),
  h.result_type(tl.ones({2}, "float16"), tl.from_table(5.0, "float64")))

for round = 1, 6 do
  local d = pick(floats)
  local shape = shape_of(1, 3)
  local x, y, c = make(shape, d), make({shape[#shape]}, d), make(shape, "bool")
  expect("where", h.where(c, x, y), d, shape, function(i) return get(c, i) ~= 0 and get(x, i) or get(y, i) end)
  expect("clamp", x:clamp(-0.5, 0.5), d, shape, function(i) return m.max(-0.5, m.min(0.5, get(x, i))) end)
  expect("clamp min", x:clamp(nil, 0), d, shape, function(i) return m.min(0, get(x, i)) end)
  expect("masked_fill", x:masked_fill(c, -m.huge), d, shape, function(i) return get(c, i) ~= 0 and -m.huge or get(x, i) end)
  expect("lerp", h.lerp(x, y, 0.25), d, shape, function(i) return get(x, i) + 0.25 * (get(y, i) - get(x, i)) end)
  expect("addcmul", h.addcmul(x, y, y, {value = 0.5}), d, shape, function(i) return get(x, i) + 0.5 * get(y, i) ^ 2 end)
  local z = x:clone()
  z:add_(y):mul_(2):clamp_min_(0):masked_fill_(c, 7)
  expect("in place", z, d, shape, function(i)
    local s = tl.from_table(get(x, i) + get(y, i), "float64"):to(d):item()
    return get(c, i) ~= 0 and 7 or m.max(0, 2 * s)
  end)
end

-- Reductions -------------------------------------------------------------------------------
local function reduce(t, dims, start, step, done)
  local gone, kept = {}, {}
  for _, d in ipairs(dims) do gone[d % t.ndim + 1] = true end
  for d = 1, t.ndim do if not gone[d] then kept[#kept + 1] = t.shape[d] end end
  local acc = {}
  for _, idx in ipairs(indices(t.shape)) do
    local k = {}
    for d = 1, t.ndim do if not gone[d] then k[#k + 1] = idx[d] end end
    k = table.concat(k, ",")
    local a = acc[k] or {v = start, n = 0}
    a.v, a.n = step(a.v, get(t, idx), a), a.n + 1
    acc[k] = a
  end
  return kept, function(idx)
    local a = acc[table.concat(idx, ",")]
    return done and done(a.v, a.n, a) or a.v
  end
end
local function plus(a, x) return a + x end
local function larger(a, x) return m.max(a, x) end
local function whole(d) return isfloat(d) and d or "int64" end
local function float_of(d) return isfloat(d) and d or "float32" end
local function first(greater)
  return function(v, x, a)
    if a.n == 0 or (greater and x > v or not greater and x < v) then a.at = a.n return x end
    return v
  end
end
for round = 1, 30 do
  local d = pick(random(3) == 0 and ints or floats)
  local x = make(shape_of(1, 4), d)
  local dims, seen = {}, {}
  for _ = 1, 1 + random(x.ndim) do
    local k = random(x.ndim)
    if not seen[k] then dims[#dims + 1] = random(2) == 0 and k or k - x.ndim end
    seen[k] = true
  end
  local function both(name, dtype, start, step, done)
    local shape, f = reduce(x, dims, start, step, done)
    expect(name, h[name](x, dims), dtype, shape, f)
  end
  both("sum", whole(d), 0, plus)
  both("mean", float_of(d), 0, plus, function(v, n) return v / n end)
  both("amax", d, -m.huge, larger)
  both("amin", d, m.huge, function(a, v) return m.min(a, v) end)
  local truth = d == "uint8" and d or "bool" -- as PyTorch has it
  both("any", truth, false, function(a, v) return a or v ~= 0 end)
  both("all", truth, true, function(a, v) return a and v ~= 0 end)
  both("count_nonzero", "int64", 0, function(a, v) return a + (v ~= 0 and 1 or 0) end)
  both("logsumexp", float_of(d), 0, function(a, v) return a + m.exp(v) end, function(v) return m.log(v) end)
  local shape, f = reduce(x, dims, 0, function(a, v) return a + v * v end, function(v) return m.sqrt(v) end)
  expect("norm", h.norm(x, 2, dims), float_of(d), shape, f)
  local _, mean = reduce(x, dims, 0, plus, function(v, n) return v / n end)
  local s2, sq = reduce(x, dims, 0, function(a, v) return a + v * v end, function(v, n, a) return v end)
  expect("var", h.var(x, dims, false), float_of(d), s2, function(idx)
    local n = x:numel()
    for _, e in ipairs(s2) do n = n // e end
    local want = h.var(x:double(), dims, false)
    local v, e = get(want, idx), sq(idx) / n - mean(idx) ^ 2
    return m.abs(v - e) < 1e-9 and v or e
  end)
  local k = random(x.ndim)
  local function places(v, n, a) return a.at end
  local one, at = reduce(x, {k}, 0, first(true), places)
  local _, top = reduce(x, {k}, 0, first(true))
  local values, index = x:max(k - x.ndim)
  expect("max", values, d, one, top)
  expect("max places", index, "int64", one, at)
  expect("argmax", h.argmax(x, k), "int64", one, at)
  one, at = reduce(x, {k}, 0, first(false), places)
  expect("argmin", h.argmin(x, k, true), "int64", h.sum(x, k, true).shape, function(idx)
    local short = table.move(idx, 1, #idx, 1, {})
    table.remove(short, k + 1)
    return at(short)
  end)
  expect("prod", h.prod(x:double(), k), "float64", reduce(x, {k}, 1.0, function(a, v) return a * v end))
  local function running(start, step)
    return function(idx)
      local a, i = start, table.move(idx, 1, #idx, 1, {})
      for j = 0, idx[k + 1] do
        i[k + 1] = j
        a = step(a, get(x, i))
      end
      return a
    end
  end
  expect("cumsum", x:cumsum(k), whole(d), x.shape, running(0, plus))
  expect("cummax", x:cummax(k), d, x.shape, running(-m.huge, larger))
  local wide = x:float()
  local _, total = reduce(wide, {k}, 0, function(a, v) return a + m.exp(v) end)
  expect("softmax", wide:softmax(k), "float32", x.shape, function(idx)
    local short = table.move(idx, 1, #idx, 1, {})
    table.remove(short, k + 1)
    return m.exp(get(wide, idx)) / total(short)
  end)
  expect("log_softmax", wide:log_softmax(k, {dtype = "float64"}), "float64", x.shape, function(idx)
    local short = table.move(idx, 1, #idx, 1, {})
    table.remove(short, k + 1)
    return get(wide, idx) - m.log(total(short))
  end)
  -- order
  local v, i = x:sort(k, random(2) == 0)
  expect("sort", v, d, x.shape, function(idx) return get(h.gather(x, k, i), idx) end)
  local falling = x:sort(k, true)
  expect("topk", x:topk(1, k), d, h.narrow(x, k, 0, 1).shape, function(idx) return get(falling, idx) end)
  for q = 1, x.shape[k + 1] - 1 do
    local a, b = h.narrow(falling, k, q - 1, 1), h.narrow(falling, k, q, 1)
    checks = checks + 1
    if not a:ge(b):all() then wrong = wrong + 1 print("sort is no order", d) end
  end
end

-- Products -----------------------------------------------------------------------------------
local function einsum(inputs, out, ...)
  local operands, extent, letters = {...}, {}, {}
  for o, list in ipairs(inputs) do
    for i = 1, #list do
      local l = list:sub(i, i)
      if not extent[l] then letters[#letters + 1] = l end
      extent[l] = m.max(extent[l] or 1, operands[o].shape[i])
    end
  end
  local shape, all, acc = {}, {}, {}
  for i = 1, #out do shape[i] = extent[out:sub(i, i)] end
  for i, l in ipairs(letters) do all[i] = extent[l] end
  for _, idx in ipairs(indices(all)) do
    local at, v = {}, 1
    for i, l in ipairs(letters) do at[l] = idx[i] end
    for o, list in ipairs(inputs) do
      local k = {}
      for i = 1, #list do k[i] = at[list:sub(i, i)] end
      v = v * get(operands[o], k)
    end
    local key = {}
    for i = 1, #out do key[i] = at[out:sub(i, i)] end
    key = table.concat(key, ",")
    acc[key] = (acc[key] or 0) + v
  end
  return shape, function(idx) return acc[table.concat(idx, ",")] end
end
for _, case in ipairs {
  {{"ij", "jk"}, "ik"}, {{"bhqd", "bhkd"}, "bhqk"}, {{"bij", "bjk"}, "ik"}, {{"ij", "ij"}, "ij"}, {{"ij", "kl"}, "ijkl"},
  {{"ij"}, "ji"}, {{"ij"}, ""}, {{"ii"}, "i"}, {{"iji"}, "j"}, {{"ij", "jk", "kl"}, "il"}, {{"ab", "bc", "ac"}, "b"},
  {{"bshn", "bthn"}, "bsth"}, {{"i", "i"}, ""}, {{"i", "j", "k"}, "kji"}, {{"abc", "cd", "d"}, "ab"},
} do
  local d, extent, list = pick(random(4) == 0 and {"int32"} or floats), {}, {}
  for o, letters in ipairs(case[1]) do
    local shape = {}
    for i = 1, #letters do
      local l = letters:sub(i, i)
      extent[l] = extent[l] or 1 + random(4)
      shape[i] = extent[l]
    end
    list[o] = make(shape, d == "int32" and d or "float64")
    if d ~= "int32" then list[o] = list[o]:to(d) end
  end
  local equation = table.concat(case[1], ",") .. "->" .. case[2]
  local got = h.einsum(equation, table.unpack(list))
  local shape, f = einsum(case[1], case[2], table.unpack(list))
  -- cancellation: what is compared is absolute, by way of + 1
  expect(equation, got:double() + 100, "float64", shape, function(i) return tl.from_table(f(i), "float64"):to(d):item() + 100 end)
end
print(h.einsum("i j, j k", tl.ones {2, 3}, tl.ones {3, 4}).shape, h.einsum("...ij,...jk->...ik", tl.ones {5, 1, 2, 3}, tl.ones {4, 3, 2}).shape,
  h.einsum("b...,b...->...", tl.ones {2, 3, 4}, tl.ones {2, 3, 4}).shape, h.einsum("ba", tl.arange(6):reshape {2, 3}).shape)
for round = 1, 8 do
  local d = pick(floats)
  local a, b = shape_of(0, 2), shape_of(0, 2)
  for i = 1, m.min(#a, #b) do
    local e = m.max(a[#a - i + 1], b[#b - i + 1])
    a[#a - i + 1], b[#b - i + 1] = random(3) == 0 and 1 or e, e
  end
  local M, K, N = 1 + random(6), 1 + random(40), 1 + random(30)
  table.move({M, K}, 1, 2, #a + 1, a)
  table.move({K, N}, 1, 2, #b + 1, b)
  local x, y = make(a, "float32"):to(d), make(b, "float32"):to(d)
  local got, lead = x:matmul(y), broadcast(tl.zeros(table.move(a, 1, #a - 2, 1, {})), tl.zeros(table.move(b, 1, #b - 2, 1, {})))
  lead[#lead + 1], lead[#lead + 2] = M, N
  expect("matmul", got:double() + 100, "float64", lead, function(idx)
    local s, i, j = 0, table.move(idx, 1, #idx, 1, {}), table.move(idx, 1, #idx, 1, {})
    for k = 0, K - 1 do
      i[#i], j[#j - 1] = k, k
      s = s + get(x, i) * get(y, j)
    end
    return tl.from_table(s, "float64"):to(d):item() + 100
  end)
end
do -- larger than a block, both ways of packing
  local a, b = tl.randn({130, 300}, "float64"), tl.randn({300, 401}, "float64")
  local want = tl.ref.matmul(a, b)
  print("large", (h.matmul(a, b) - want):abs():max() < 1e-10, (h.matmul(b.T, a.T) - want.T):abs():max() < 1e-10,
    (h.matmul(a.T:contiguous().T, b) - want):abs():max() < 1e-10, h.mm(a:to("int8"), b:to("int8")):equal(h.mm(a:to("int8"):long(), b:to("int8"):long()):to("int8")))
  local q, k, v = tl.randn {2, 4, 33, 16}, tl.randn {2, 2, 40, 16}, tl.randn {2, 2, 40, 8}
  local got = h.scaled_dot_product_attention(q, k, v, {enable_gqa = true})
  print("attention", got.shape, (got - tl.ref.attention(q, k, v)):abs():max() < 1e-6,
    (h.scaled_dot_product_attention(q, q, q, nil, 0, true) - tl.ref.attention(q, q, q, {causal = true})):abs():max() < 1e-6,
    (h.scaled_dot_product_attention(q, q, q, tl.ones({33, 33}):tril():bool()) - tl.ref.attention(q, q, q, {causal = true})):abs():max() < 1e-6)
  local x, w, c = tl.randn {2, 4, 9, 10}, tl.randn {6, 2, 3, 2}, tl.randn {6}
  print("conv2d", (h.conv2d(x, w, c, {2, 1}, {1, 2}, {1, 2}, 2) - tl.ref.conv2d(x, w, {stride = {2, 1}, padding = {1, 2}, dilation = {1, 2}, groups = 2, bias = c})):abs():max() < 1e-5,
    h.conv2d(x, tl.randn {4, 4, 3, 3}, nil, 1, "same").shape, h.conv1d(tl.randn {4, 9}, tl.randn {5, 4, 2}).shape)
  print("norms", (h.layer_norm(x, 10, tl.ones {10}) - tl.ref.layernorm(x, tl.ones {10})):abs():max() < 1e-6,
    (h.rms_norm(x, {10}, nil, 1e-6) - tl.ref.rmsnorm(x, nil, {eps = 1e-6})):abs():max() < 1e-6, h.layer_norm(x, {9, 10}).shape)
end

-- Elements chosen by others ---------------------------------------------------------------------
for round = 1, 24 do
  local d = pick {"float16", "int64", "bool", "float32"}
  local x = make(shape_of(1, 4), d)
  local k = random(x.ndim)
  local n, ishape = x.shape[k + 1], x.shape
  ishape[k + 1] = 1 + random(5)
  local i = tl.randint(0, n, ishape)
  local function along(idx, to)
    local j = table.move(idx, 1, #idx, 1, {})
    j[k + 1] = to
    return j
  end
  expect("gather", x:gather(k, i), d, ishape, function(idx) return get(x, along(idx, get(i, idx))) end)
  local list = tl.randint(0, n, {3})
  local rows = x.shape
  rows[k + 1] = 3
  expect("index_select", x:index_select(k, list), d, rows, function(idx) return get(x, along(idx, list[idx[k + 1]])) end)
  local src = make(ishape, d)
  local want, added = {}, {}
  for _, idx in ipairs(indices(x.shape)) do want[table.concat(idx, ",")], added[table.concat(idx, ",")] = get(x, idx), get(x, idx) end
  for _, idx in ipairs(indices(ishape)) do
    local key = table.concat(along(idx, get(i, idx)), ",")
    want[key] = get(src, idx)
    added[key] = d == "bool" and m.max(added[key], get(src, idx)) or tl.from_table(added[key] + get(src, idx) + 0.0, "float64"):to(d == "int64" and "float64" or d):item()
  end
  expect("scatter", x:scatter(k, i, src), d, x.shape, function(idx) return want[table.concat(idx, ",")] end)
  expect("scatter_add", x:clone():scatter_add_(k, i, src), d, x.shape, function(idx) return added[table.concat(idx, ",")] end)
  local mask = make(x.shape, "bool")
  local chosen = {}
  for _, idx in ipairs(indices(x.shape)) do if get(mask, idx) ~= 0 then chosen[#chosen + 1] = idx end end
  expect("x[mask]", x[mask], d, {#chosen}, function(idx) return get(x, chosen[idx[1] + 1]) end)
  expect("nonzero", mask:nonzero(), "int64", {#chosen, x.ndim}, function(idx) return chosen[idx[1] + 1][idx[2] + 1] end)
  local y = x:clone()
  y[mask] = 1
  expect("x[mask] = 1", y, d, x.shape, function(idx) return get(mask, idx) ~= 0 and 1 or get(x, idx) end)
  expect("flip", x:flip(k), d, x.shape, function(idx) return get(x, along(idx, n - 1 - idx[k + 1])) end)
  expect("roll", x:roll(2, k), d, x.shape, function(idx) return get(x, along(idx, (idx[k + 1] - 2) % n)) end)
  local twice = x.shape
  twice[k + 1] = 2 * n
  expect("repeat_interleave", x:repeat_interleave(2, k), d, twice, function(idx) return get(x, along(idx, idx[k + 1] // 2)) end)
  expect("cat", h.cat({x, x}, k), d, twice, function(idx) return get(x, along(idx, idx[k + 1] % n)) end)
  local reps = {}
  for q = 1, x.ndim do reps[q] = q == k + 1 and 2 or 1 end
  expect("repeat", h["repeat"](x, reps), d, twice, function(idx) return get(x, along(idx, idx[k + 1] % n)) end)
end

print(checks > 1000, "wrong: " .. wrong)
