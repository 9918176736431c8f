-- Reductions on the simulated machines against the cpu target: every kind,
-- axis and type, old values kept or not, from and to every scope, for widths
-- and numbers of threads that do not divide.
local machines = {"sm_80", "gfx942", "simt"}

local function run(text, target, inputs)
  local copy = {}
  for i, t in ipairs(inputs) do
    copy[i] = t:clone()
  end
  return tl.from_ir(text, {target = target, name = "=reduce"})(table.unpack(copy))
end

local function input(dt, shape)
  if dt:find "int" then
    return tl.randint(dt:find "^u" and 0 or -100, 100, shape, dt)
  end
  return tl.randn(shape, dt)
end

local counts = {}
-- base: text for the cpu target, or its result
local function compare(group, text, inputs, tol, base)
  local want = type(base) == "string" and run(base, "cpu", inputs) or base
  for _, m in ipairs(machines) do
    local ok, got = pcall(run, text, "sim -arch=" .. m, inputs)
    local close, why = ok, got
    if ok then
      close, why = pcall(tl.testing.assert_close, got, want, {rtol = tol, atol = tol})
    end
    if close then
      counts[group] = (counts[group] or 0) + 1
    else
      print(group, m, why)
      print(text)
    end
  end
  return want
end

local function shape(list) return "[" .. table.concat(list, ", ") .. "]" end

-- One kernel with a reduction of each kind; Y[k, ..] is the result of the k-th.
-- o: kinds, dt, out (type of the result), src and dst (scopes), size, dim (from
-- 0), keep (the dimension stays, as 1), clear, threads
local function kernel(o)
  local small, zero = {}, {}
  for d, n in ipairs(o.size) do
    if d ~= o.dim + 1 then
      small[#small + 1] = n
    elseif o.keep or #o.size == 1 then
      small[#small + 1] = 1
    end
  end
  for d, n in ipairs(small) do
    zero[d] = "0:+" .. n
  end
  local names = {DT = o.dt, OUT = o.out or o.dt, SRC = o.src or "fragment", S = shape(o.size),
    DST = o.dst or "fragment", D = shape(small), E = shape {#o.kinds, table.unpack(small)},
    AT = table.concat(zero, ", "), DIM = o.dim, CLEAR = o.clear and 1 or 0, THREADS = o.threads or 128}
  local text = {[[
kernel red(A, Z, Y) -> Y
  buffer A: global DT S
  buffer Z: global OUT E
  buffer Y: global OUT E
  launch bx in 1 threads THREADS do
    alloc a: SRC DT S
    copy A -> a
]]}
  for k, kind in ipairs(o.kinds) do
    text[#text + 1] = ([[
    alloc r#: DST OUT D
    copy Z[#, AT] -> r#
    reduce a -> r# kind=$ dim=DIM clear=CLEAR
    copy r# -> Y[#, AT]
]]):gsub("#", k - 1):gsub("%$", kind)
  end
  text[#text + 1] = "  end\nend\n"
  return table.concat(text):gsub("%f[%w]%u+%f[^%w]", names), {#o.kinds, table.unpack(small)}
end

local tolerance = {float16 = 4e-3, bfloat16 = 3e-2}

local function case(group, o, threads)
  local text, small = kernel(o)
  local out, want = o.out or o.dt, nil
  local inputs = {input(o.dt, o.size), input(out, small)}
  for _, n in ipairs(threads or {128}) do
    o.threads = n
    want = compare(group, kernel(o), inputs, tolerance[out] or 2e-4, want or text)
  end
end

tl.manual_seed(7)
local kinds = {"sum", "max", "min", "abssum", "absmax"}
for i, dt in ipairs {"float32", "float16", "int32", "float64"} do
  case("kinds", {kinds = kinds, dt = dt, size = {24, 40}, dim = i % 2, clear = true})
  case("kinds", {kinds = kinds, dt = dt, size = {24, 40}, dim = 1 - i % 2, clear = false})
end
kinds = {"bitand", "bitor", "bitxor"}
case("bits", {kinds = kinds, dt = "int32", size = {16, 33}, dim = 1, clear = false})
case("bits", {kinds = kinds, dt = "uint8", size = {16, 33}, dim = 0, clear = true})
kinds = {"sum", "max"}
for i, size in ipairs {{1, 1}, {1, 300}, {300, 1}, {7, 5}, {64, 80}, {3, 192}, {40, 229}, {128, 16}} do
  for dim = 0, 1 do
    case("widths", {kinds = kinds, dt = "float32", size = size, dim = dim, clear = true,
      keep = i % 2 == dim}, {32, 96, 256, 48})
  end
end
for dim = 0, 2 do
  case("ranks", {kinds = kinds, dt = "float32", size = {3, 10, 12}, dim = dim, clear = false})
end
case("ranks", {kinds = {"sum"}, dt = "int8", out = "int32", size = {6, 5, 16}, dim = 1, keep = true})
case("ranks", {kinds = {"sum"}, dt = "float32", size = {1000}, dim = 0, clear = false})
case("ranks", {kinds = {"min"}, dt = "float16", out = "float32", size = {77}, dim = 0, clear = true})
case("ranks", {kinds = {"sum"}, dt = "bfloat16", size = {4, 3, 2, 9}, dim = 1})
for dim, src in ipairs {"fragment", "shared"} do
  for _, dst in ipairs {"fragment", "shared"} do
    case("scopes", {kinds = kinds, dt = "float32", size = {20, 48}, dim = dim - 1, src = src,
      dst = dst, clear = dst == src})
  end
end

-- A NaN is lost, or kept.
local nan = [[
kernel red(A, Y) -> Y
  buffer A: global float32[8, 64]
  buffer Y: global float32[8, 2]
  launch bx in 1 threads 64 do
    alloc a: fragment float32[8, 64]
    alloc r: fragment float32[8]
    alloc q: fragment float32[8]
    copy A -> a
    reduce a -> r kind=max dim=1 clear=1
    reduce a -> q kind=max dim=1 clear=1 nan_propagate=1
    for i in parallel(8) do
      Y[i, 0] = r[i]
      Y[i, 1] = float32(isnan(q[i]))
    end
  end
end
]]
local a = tl.randn {8, 64}
a[2, 5], a[5, 63], a[5, 0] = 0 / 0, 0 / 0, 0 / 0
compare("nan", nan, {a}, 0, nan)

-- Private arrays: every thread its own.
local private = [[
kernel red(A, Y) -> Y
  buffer A: global float32[32, 6]
  buffer Y: global float32[32]
  launch bx in 1 threads tx in 32 do
    alloc v: local float32[6]
    alloc r: local float32[1]
    for k in serial(6) step=1 do
      v[k] = A[tx, k]
    end
    r[0] = 1.0
    reduce v -> r kind=sum dim=0
    Y[tx] = r[0]
  end
end
]]
local rows, sums = tl.randn {32, 6}, tl.zeros {32}
for i = 0, 31 do
  local sum = 1
  for k = 0, 5 do
    sum = sum + rows[i, k]
  end
  sums[i] = sum
end
compare("private", private, {rows}, 1e-5, sums)

for _, g in ipairs {"kinds", "bits", "widths", "ranks", "scopes", "nan", "private"} do
  print(g, counts[g])
end
