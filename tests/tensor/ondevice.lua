-- Operators of host programs as kernels (on a machine with a card, those of large tensors) give what the host gives.
local on = require "moontile.tl.host.ondevice"
local kernels = require "moontile.tl.host.kernels"
local host = require "moontile.host"
local H = tl.host
local target = arg[1] or "sim -arch=sm_90a"

local function wide(t) return (t.dtype == "bool" and t:to "int32" or t):to "float64" end

-- f() on the host and as kernels: how many of its results differ by more than tol, relative to 1 and to the value.
local ran = 0
local limit -- elements of a launch
local function both(name, tol, f)
  on.force(nil)
  local want = wide(f())
  on.force(target, limit)
  local got = wide(f())
  on.force(nil)
  ran = ran + 1
  if not tl.allclose(got, want, {rtol = tol, atol = tol}) then
    print("DIFFERS", name)
    print(got)
    print(want)
  end
end

tl.manual_seed(5)
local function tensors(dtype, shape)
  if dtype == "bool" then return H.gt(tl.randn(shape), 0) end
  if dtype:find "int" then return tl.randint(dtype:find "u" and 0 or -9, 10, shape, dtype) end
  return tl.randn(shape):to(dtype)
end

local inputs = {where = 3, clamp = 3, addcmul = 3, addcdiv = 3}
for name in ([[add sub mul div div_trunc pow atan2 fmod maximum minimum eq ne lt le gt ge
  logical_and logical_or logical_xor bitand bitor bitxor]]):gmatch "%S+" do
  inputs[name] = 2
end
local truth = {isnan = true, isinf = true, isfinite = true, logical_not = true, logical_and = true, logical_or = true,
  logical_xor = true, eq = true, ne = true, lt = true, le = true, gt = true, ge = true}
local rt = require "moontile.tl.host.promote"

-- Every operator of one element: rows, columns, transposed, one of each.
local shapes = {{{3, 50}, {3, 50}, {3, 50}}, {{3, 50}, {3, 1}, {}}, {{1, 50}, {3, 1}, {3, 50}}}
for _, as in ipairs {"float32", "int64"} do
  local names = {}
  for name in pairs(kernels.names(as)) do names[#names + 1] = name ~= "copy" and name or nil end
  table.sort(names)
  for _, name in ipairs(names) do
    local dtypes = as == "int64" and {"int32", "uint8"} or {"float32", "bfloat16"}
    for s, shape in ipairs(shapes) do
      local n = inputs[name] or 1
      local t = {}
      for i = 1, n do t[i] = tensors(dtypes[(s + i) % 2 + 1], shape[i]) end
      if name == "where" then t[1] = tensors("bool", shape[1]) end
      -- where functions are defined; no quotients of nearly 0
      local domain = {sqrt = "abs", rsqrt = "abs", log = "abs", log2 = "abs", log10 = "abs", log1p = "abs", pow = "abs",
        acosh = "abs", asin = "tanh", acos = "tanh", atanh = "tanh"}
      if domain[name] then t[1] = H[domain[name]](t[1]) end
      if name == "acosh" then t[1] = t[1] + 1 end
      if name:find "div" or name == "fmod" then t[n] = H.abs(t[n]) + 1 end
      local dtype = truth[name] and "bool" or as == "int64" and "int64" or "float32"
      both(as .. " " .. name .. " " .. s, name == "div_trunc" and 1e-4 or 3e-5, function()
        return rt.elem(name, dtype, 2, 20, 0, table.unpack(t, 1, n))
      end)
    end
  end
end

-- Whole numbers that a float32 does not hold: integers, or the host's.
local vast = tl.arange(300):to "int64" * 1000003 + (1 << 40)
local odd = tl.arange(300):to "int64" * 7 + 3
local some = H.gt(tl.randn {300}, 0)
local high = H.view(vast - (1 << 62) * 2, "uint64")
for name, f in pairs {
  remainder = function() return H.remainder(vast, odd) end,
  floor = function() return H.floor_divide(vast, odd) end,
  power = function() return H.pow(odd, 3) end,
  filled = function() return H.masked_fill(vast, some, 1.0) end,
  chosen = function() return H.where(some, vast, odd) end,
  clamped = function() return H.clamp(vast, (1 << 40) + 5, 1 << 41) end,
  greater = function() return H.gt(vast, (1 << 40) + 1000003.0) end,
  greatest = function() return H.amax(high, 0) end,
  place = function() return H.argmin(vast - (1 << 40), 0) end,
  total = function() return H.sum(vast, 0) end,
} do
  on.force(nil)
  local want = f()
  on.force(target)
  local got = f()
  on.force(nil)
  ran = ran + 1
  if not H.equal(got, want) then print("DIFFERS", name, got, want) end
end

-- Folds of rows, of all, of the outer dimension; many at once.
local long = tensors("float32", {2, 20000})
local whole = tensors("int32", {6, 5, 70})
local x = tensors("bfloat16", {6, 5, 70})
for _, name in ipairs {"sum", "mean", "amax", "amin", "any", "all", "count_nonzero"} do
  for _, t in ipairs {x, whole, long} do
    for _, d in ipairs {{-1}, {0}, {0, 1}} do
      both(name .. #d .. t.dtype, 2e-4, function() return H[name](t, d) end)
    end
  end
end
both("rows of many", 1e-6, function() return H.sum(tl.arange(70000 * 3):to("float32"):reshape {70000, 3}, 1) end)
both("norm of all", 2e-5, function() return H.norm(long, 2) end)
both("norm", 2e-5, function() return H.norm(long, 2, 1) end)
local holes = H.where(H.gt(x, 1.5), 0 / 0, x)
for _, t in ipairs {whole, holes} do
  for _, d in ipairs {-1, 0} do
    for _, name in ipairs {"max", "min"} do
      local where = t.dtype .. d
      both(name .. where, 0, function() return H.nan_to_num((H[name](t, d))) end)
      both("places of " .. name .. where, 0, function() return (select(2, H[name](t, d, true))) end)
      both("arg" .. name .. where, 0, function() return H["arg" .. name](t, d) end)
    end
  end
  both("argmax of all " .. t.dtype, 0, function() return H.argmax(t) end)
end
both("argmax of many", 0, function() return H.argmax(long) end)
both("amax of NaN", 0, function() return H.isnan(H.amax(holes, -1)) end)

for _, name in ipairs {"softmax", "log_softmax"} do
  for d = 0, 2 do
    both(name .. d, 1e-5, function() return H[name](x:to "float32", d) end)
    both(name .. d .. " turned", 1e-5, function() return H[name](x:to("float32"):permute {2, 0, 1}, d) end)
  end
end

-- Products: dtypes, transposed, one for all, parts of others.
for _, dtype in ipairs {"float32", "float16", "float8_e4m3fn"} do
  local a, b = tensors(dtype, {3, 70, 40}), tensors(dtype, {3, 40, 90})
  local tol = dtype == "float16" and 2e-2 or 2e-4
  local result = dtype == "float16" and "float16" or "float32"
  local function product(l, r)
    local out = tl.empty({3, 70, 90}, result)
    return on.product(out, l, r) or host.product(out, l, r)
  end
  both(dtype, tol, function() return product(a, b) end)
  local turned = b:permute({0, 2, 1}):copy():permute {0, 2, 1}
  both(dtype .. " turned", tol, function() return product(a, turned) end)
  local wider = tensors(dtype, {3, 70, 80})
  both(dtype .. " part", tol, function() return product(wider:narrow(2, 3, 40), b) end)
  both(dtype .. " one", tol, function() return product(a, b:narrow(0, 0, 1):expand {3, 40, 90}) end)
  both(dtype .. " by floats", 2e-2, function() return product(a:to "float32", b) end)
end
local q, k = tensors("float16", {2, 3, 33, 20}), tensors("float16", {2, 3, 17, 20})
both("attention", 2e-3, function() return H.scaled_dot_product_attention(q, q, q, {is_causal = true}) end)
both("einsum", 2e-2, function() return H.einsum("bhqd,bhkd->bhqk", q, k) end)

-- Copies of large tensors: other dtypes, other orders.
local big = tensors("float32", {150, 200})
both("turned copy", 0, function() return big:t():contiguous() end)
both("to half", 0, function() return big:to "bfloat16" end)
both("turned to half", 0, function() return big:t():to "float16" end)
both("to bool", 0, function() return (big:to "int32"):to "bool" end)
both("to int8", 0, function() return (big * 9):to "int8" end)

-- Into parts of others: rows, columns, every other one, repeated, across.
local into = tensors("bfloat16", {200, 250})
local function written(view, x)
  return function()
    local t = into:clone()
    view(t):copy_(x)
    return t
  end
end
both("into columns", 0, written(function(t) return t:narrow(1, 7, 200):narrow(0, 20, 150) end, big))
both("into rows", 0, written(function(t) return t:narrow(0, 20, 150):narrow(1, 0, 200) end, big:to "int32"))
both("across", 0, written(function(t) return t:t():narrow(0, 3, 150) end, big))
both("repeated", 0, written(function(t) return t:narrow(0, 10, 150) end, big:narrow(1, 5, 1)))
both("cat", 0, function() return H.cat({big, big:t():contiguous():reshape {150, 200}}, 1) end)
both("own part", 0, function()
  local t = into:clone()
  t:narrow(0, 0, 150):copy_(t:narrow(0, 20, 150))
  return t
end)

-- What has too many elements for one launch goes in parts.
limit = 5000
both("add in parts", 0, function() return big + big:narrow(0, 2, 1) end)
both("copy in parts", 0, function() return big:t():contiguous() end)
both("sum in parts", 1e-5, function() return H.sum(big, 1) end)
both("sum of columns in parts", 1e-5, function() return H.sum(big:t(), 1) end)
both("max in parts", 0, function() return (select(2, H.max(big, 1))) end)
both("argmin in parts", 0, function() return H.argmin(big:t(), 1) end)
both("softmax in parts", 1e-5, function() return H.softmax(big, -1) end)
local many, other = tensors("float32", {9, 30, 40}), tensors("float32", {9, 40, 20})
both("product in parts", 1e-4, function()
  local out = tl.empty {9, 30, 20}
  return on.product(out, many, other) or host.product(out, many, other)
end)
limit = nil

-- Views without elements, whose strides alone would lead in front of them.
local none = tl.zeros({5, 7}):narrow(1, 0, 3):narrow(0, 0, 0)
both("sum of none", 0, function() return H.sum(none, 0) end)
both("softmax of none", 0, function() return H.softmax(none, 1) end)
both("sum of elements of none", 0, function() return none + 1 end)
print(ran .. " compared")
