-- Dynamic shapes, strides, several launches, workspaces, atomics, lazy style.
local check = dofile "lib/check.lua"
tl.manual_seed(6)

-- one kernel, many sizes --------------------------------------------------------------

local function scale_add(dtype)
  local m, n = T.dynamic("m, n")
  return T.prim_func(function(A, B, C, s)
    A: T.Tensor({m, n}, dtype)
    B: T.Tensor({n}, dtype)
    C: T.Tensor({m, n}, dtype)
    s: T.float32
    for bx, by in T.Kernel(T.ceildiv(n, 16), T.ceildiv(m, 8), {threads = 64}) do
      local Al, Bl = T.alloc_fragment({8, 16}, dtype), T.alloc_fragment({16}, dtype)
      T.copy(A[by * 8, bx * 16], Al)
      T.copy(B[bx * 16], Bl)
      for i, j in T.Parallel(8, 16) do Al[i, j] = Al[i, j] * s + Bl[j] end
      T.copy(Al, C[by * 8, bx * 16])
    end
  end)
end
local k = tl.compile(scale_add("float32"), {out_idx = {2}})
for _, size in ipairs {{8, 16}, {1, 1}, {13, 35}, {64, 3}, {0, 5}, {7, 160}} do
  local a, b = tl.randn(size), tl.randn({size[2]})
  check.each(("dynamic %dx%d"):format(size[1], size[2]), k(a, b, 2.5), function(i, j)
    return a[i, j] * 2.5 + b[j]
  end, 1e-6)
end
check.fails("two sizes of n", function() k(tl.zeros({3, 4}), tl.zeros({5}), 1) end, "E2")

local mixed = tl.jit(function(X, BM)
  local M = T.dynamic "M"
  local N = T.const "N"
  X: T.Tensor({M, N}, T.int32)
  local S = T.empty({M}, T.int32)
  for bx in T.Kernel(T.ceildiv(M, BM)) do
    local f, r = T.alloc_fragment({BM, N}, T.int32), T.alloc_fragment({BM}, T.int32)
    T.copy(X[bx * BM, 0], f)
    T.reduce_sum(f, r, 1)
    T.copy(r, S[bx * BM])
  end
  return S
end)
for _, m in ipairs {1, 4, 31} do
  local x = tl.randint(-99, 99, {m, 13}, "int32")
  check.each("mixed " .. m, mixed(x, 4), function(i)
    local s = 0
    for j = 0, 12 do s = s + x[i, j] end
    return s
  end)
end

local serial_dynamic = tl.jit(function(X)
  local n = T.dynamic "n"
  X: T.Tensor({n}, T.float32)
  local O = T.empty({2}, T.float32)
  for bx in T.Kernel(1, {threads = 1}) do
    local s, big = T.alloc_var(T.float32, 0), T.alloc_var(T.float32, -T.infinity(T.float32))
    for i = 0, n - 1 do
      s += X[i]
      if X[i] > big then big = X[i] end
    end
    O[0] = s
    O[1] = big
  end
  return O
end)
check.close("loop to a symbol", serial_dynamic(tl.from_table {1.0, 5, 2}), {8, 5})
check.close("loop to a symbol of 1", serial_dynamic(tl.from_table {-4.0}), {-4, -4})

-- strides ---------------------------------------------------------------------------------

local strided = tl.jit(function(X)
  local m, n, s, t = T.dynamic "m, n, s, t"
  X: T.StridedTensor({m, n}, {s, t}, T.float32)
  local O = T.empty({m, n}, T.float32)
  for bx in T.Kernel(T.ceildiv(m, 4)) do
    for i, j in T.Parallel(4, n) do O[bx * 4 + i, j] = X[bx * 4 + i, j] * 2 end
  end
  return O
end)
local x = tl.randn({6, 10})
check.close("compact", strided(x), x * 2)
check.close("transposed view", strided(x:transpose()), (x * 2):transpose())
check.close("slice of rows and columns", strided(x[1:5, 3:9]), (x * 2)[1:5, 3:9])

local fixed = tl.jit(function(X)
  X: T.StridedTensor({4, 3}, {8, 2}, T.int32)
  local O = T.empty({4, 3}, T.int32)
  for bx in T.Kernel(1) do T.copy(X, O) end
  return O
end)
local xi = tl.arange(32):to("int32")
check.each("fixed strides", fixed(xi:reshape({4, 4, 2})[:, 0:3, 0]), function(i, j)
  return 8 * i + 2 * j
end)
check.fails("wrong strides", function() fixed(tl.zeros({4, 3}, "int32")) end, "E2")

-- several launches ------------------------------------------------------------------------

local two = tl.jit(function(X, B)
  local M, N = T.const "M, N"
  X: T.Tensor({M, N}, T.float32)
  local S, mean = T.empty({M}, T.float32), T.empty({1}, T.float32)
  local ws = T.alloc_global({M, T.ceildiv(N, B)}, T.float32)
  for bx, by in T.Kernel(T.ceildiv(N, B), M) do
    local f, r = T.alloc_fragment({B}, T.float32), T.alloc_fragment({1}, T.float32)
    T.copy(X[by, bx * B], f)
    T.reduce_sum(f, r, 0)
    ws[by, bx] = r[0]
  end
  for by in T.Kernel(M) do
    local f, r = T.alloc_fragment({1, T.ceildiv(N, B)}, T.float32), T.alloc_fragment({1}, T.float32)
    T.copy(ws[by, 0], f)
    T.reduce_sum(f, r, 1)
    S[by] = r[0]
  end
  for bx in T.Kernel(1, {threads = 1}) do
    local s = T.alloc_var(T.float32, 0)
    for i in T.serial(M) do s += S[i] end
    mean[0] = s / (M * N)
  end
  return S, mean
end)
x = tl.randn({5, 37})
local s, mean = two(x, 8)
check.close("workspace", s, tl.ref.sum(x, 1), 1e-5)
check.close("three launches", mean, {tl.ref.sum(tl.ref.sum(x, 1), 0):item() / (5 * 37)}, 1e-5)

-- atomics ------------------------------------------------------------------------------------

local atomics = tl.jit(function(X, S, bins)
  local N = T.const "N"
  X: T.Tensor({N}, T.int32)
  S: T.Tensor({8}, T.int32)
  bins: T.Tensor({16}, T.int32)
  local order = T.empty({N}, T.int32)
  for bx in T.Kernel(T.ceildiv(N, 32), {threads = 32}) do
    for i in T.Parallel(32) do
      if bx * 32 + i < N then
        local v = X[bx * 32 + i]
        T.atomic_add(S[0], v)
        T.atomic_max(S[1], v)
        T.atomic_min(S[2], v)
        T.atomic_or(S[3], 1 << (v & 7))
        T.atomic_add(bins[v % 16], 1, {memory_order = "relaxed"})
        order[bx * 32 + i] = T.atomic_add(S[4], 1, {return_prev = true})
      end
    end
  end
  return order
end)
xi = tl.randint(-100, 100, {77}, "int32")
local S, bins = tl.zeros({8}, "int32"), tl.zeros({16}, "int32")
local order = atomics(xi, S, bins)
local want, count = {0, -1000, 1000, 0, 77, 0, 0, 0}, {}
for b = 1, 16 do count[b] = 0 end
want[2], want[3] = 0, 0
for i = 0, 76 do
  local v = xi[i]
  want[1] = want[1] + v
  want[2], want[3] = math.max(want[2], v), math.min(want[3], v)
  want[4] = want[4] | 1 << (v & 7)
  count[v % 16 + 1] = count[v % 16 + 1] + 1
end
check.close("atomics", S, want)
check.close("bins", bins, count)
local seen = {}
for i = 0, 76 do seen[order[i]] = true end
check.equal("previous values", #seen, 76)

local pairs_of = tl.jit(function(X, O)
  local N = T.const "N"
  X: T.Tensor({N}, T.float32)
  O: T.Tensor({4}, T.float32)
  for bx in T.Kernel(N // 4, {threads = 1}) do
    if bx % 2 == 0 then
      T.atomic_addx4(O[0], X[bx * 4])
    else
      T.atomic_addx2(O[0], X[bx * 4])
      T.atomic_addx2(O[2], X[bx * 4 + 2])
    end
  end
end)
x = tl.randn({40})
local o = tl.zeros({4})
pairs_of(x, o)
check.close("addx2 and addx4", o, tl.ref.sum(x:reshape({10, 4}), 0), 1e-5)

local tile_max = tl.jit(function(X, O)
  local M, N = T.const "M, N"
  X: T.Tensor({M, N}, T.float32)
  O: T.Tensor({N}, T.float32)
  for bx in T.Kernel(M) do
    local f = T.alloc_fragment({N}, T.float32)
    T.copy(X[bx, 0], f)
    T.atomic_max(O[0:N], f)
    local one = T.atomic_load(O[0])
    T.atomic_store(O[0], one)
  end
end)
x = tl.randn({9, 21})
o = tl.full({21}, -100, "float32")
tile_max(x, o)
check.close("atomic_max of a tile", o, (tl.ref.max(x, 0)))

-- lazy style -----------------------------------------------------------------------------------

local function adder(n, value, inplace)
  return T.prim_func(function(X, Y)
    X: T.Tensor({n}, T.float32)
    Y: T.Tensor({n}, T.float32)
    for bx in T.Kernel(T.ceildiv(n, 32)) do
      for i in T.Parallel(32) do
        if inplace then Y[bx * 32 + i] += X[bx * 32 + i] * value
        else Y[bx * 32 + i] = X[bx * 32 + i] * value end
      end
    end
  end)
end
x = tl.randn({45})
for name, out in pairs {["-1"] = -1, ["{-1}"] = {-1}, ["1"] = 1, ["{1}"] = {1}} do
  check.close("out_idx " .. name, tl.compile(adder(45, 3), {out_idx = out})(x), x * 3, 1e-6)
end
check.close("out_idx by position", tl.compile(adder(45, 3), {1})(x), x * 3, 1e-6)
local y = tl.ones({45})
check.equal("no outputs", tl.compile(adder(45, 2, true))(x, y), nil)
check.close("in place", y, x * 2 + 1, 1e-6)
local lazy = tl.jit(adder, {out_idx = -1})
check.close("jit of a factory", lazy(45, 4)(x), x * 4, 1e-6)
check.close("its compile by name", lazy:compile{n = 45, value = 5}(x), x * 5, 1e-6)
local deco = tl.jit{out_idx = {1}}(adder)
check.close("as a decorator", deco(45, 6)(x), x * 6, 1e-6)

check.done()
