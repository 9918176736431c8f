-- Conditions and indices of 8 and 16 bits wrap in their type, and scalars may be as small as
-- theirs: what holds for a whole nest, or lies inside a buffer, is decided without either.
local function narrow(dt)
  return tl.jit(function(X)
    X: T.Tensor({16}, dt)
    local C = T.empty({16}, "int32")
    for _ in T.Kernel(1, {threads = 64}) do
      local s, f = T.alloc_shared({16}, dt), T.alloc_fragment({16}, "int32")
      T.copy(X, s)
      for i in T.Parallel(16) do f[i] = T.Select(s[i] > 0, 5, 1) + T.Select(s[i] + 20 < 5, 20, 10) end
      T.copy(f, C)
    end
    return C
  end)
end

local guarded = tl.jit(function(X, I)
  X: T.Tensor({100}, "int32")
  I: T.Tensor({8}, "int8")
  local C = T.empty({8}, "int32")
  for _ in T.Kernel(1, {threads = 64}) do
    local s = T.alloc_shared({8}, "int8")
    T.copy(I, s)
    for i in T.Parallel(8) do C[i] = X[s[i] + 5] end
  end
  return C
end)

local function limited(op)
  return tl.jit(function(U, V)
    U: T.int32
    V: T.int32
    local C = T.empty({8}, "int32")
    for _ in T.Kernel(1, {threads = 32}) do
      local f = T.alloc_fragment({8}, "int32")
      for i in T.Parallel(8) do f[i] = T.Select(op(i, U, V), 5, 1) end
      T.copy(f, C)
    end
    return C
  end)
end

local least, most = math.mininteger >> 32 | ~0 << 32, 0x7fffffff
local x = {}
for i = 1, 16 do x[i] = i % 3 * 60 - 100 + i end
for _, target in ipairs{"cpu", "sim -arch=sm_80", "sim -arch=c500"} do
  tl.set_target(target)
  print(target)
  for _, dt in ipairs{"int8", "int16", "uint8"} do
    local t = tl.from_table(x, "int32"):to(dt)
    print(dt, narrow(dt)(t))
  end
  print(guarded(tl.arange(100, "int32"), tl.from_table({-128, -5, -6, 0, 94, 95, 122, 127}, "int8")))
  local below, above = limited(T.macro(function(i, U, V) return i < U end)),
    limited(T.macro(function(i, U, V) return i >= U end))
  local two = limited(T.macro(function(i, U, V) return i + U <= V end))
  for _, u in ipairs{least, -1, 3, 8, most} do print(below(u, 0), above(u, 0)) end
  print(two(-2000000000, 2000000000), two(3, 5))
end
