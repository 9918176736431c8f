-- Reductions and scans: every kind, axis and width, sources and destinations
-- in registers and shared memory.
local conform = dofile "lib/conform.lua"
tl.manual_seed(3)

local function reduction(kind, dim, clear, dtype, shared)
  return tl.jit(function(A, O)
    local M, N = T.const "M, N"
    local R = dim == 0 and N or M
    A: T.Tensor({M, N}, dtype)
    O: T.Tensor({R}, dtype)
    for _ in T.Kernel(1, {threads = 128}) do
      local x = shared and T.alloc_shared({M, N}, dtype) or T.alloc_fragment({M, N}, dtype)
      local r = T.alloc_fragment({R}, dtype)
      T.copy(A, x)
      T.copy(O, r)
      if kind == "abssum" then
        T.reduce_abssum(x, r, dim)
      else
        T["reduce_" .. kind](x, r, dim, clear)
      end
      T.copy(r, O)
    end
  end)
end

local function value(kind, acc, v)
  if kind == "sum" then return acc + v end
  if kind == "max" then return math.max(acc, v) end
  if kind == "min" then return math.min(acc, v) end
  if kind == "abssum" then return acc + math.abs(v) end
  if kind == "absmax" then return math.max(acc, math.abs(v)) end
  if kind == "bitand" then return acc & v end
  if kind == "bitor" then return acc | v end
  return acc ~ v
end

local start = {
  sum = 0, max = -math.huge, min = math.huge, abssum = 0, absmax = 0, bitand = -1, bitor = 0,
  bitxor = 0,
}

local function reference(kind, dim, clear, a, o)
  local m, n = a.shape[1], a.shape[2]
  local out = {}
  for r = 0, (dim == 0 and n or m) - 1 do
    local acc = start[kind]
    if not clear and kind ~= "abssum" then
      acc = o:item(r)
    end
    for k = 0, (dim == 0 and m or n) - 1 do
      acc = value(kind, acc, dim == 0 and a:item(k, r) or a:item(r, k))
    end
    out[r + 1] = acc
  end
  return tl.from_table(out, kind:find "^bit" and "int64" or "float64"):astype(a.dtype)
end

local function check(kind, dim, clear, dtype, m, n, shared)
  local int = dtype:find "int"
  local a = int and tl.randint(-100, 100, {m, n}, "int32"):astype(dtype)
    or tl.randn({m, n}, "float32"):astype(dtype)
  local o = int and tl.randint(-100, 100, {dim == 0 and n or m}, "int32"):astype(dtype)
    or tl.randn({dim == 0 and n or m}, "float32"):astype(dtype)
  conform.case(("reduce %s dim %d%s %s %dx%d%s"):format(kind, dim, clear and "" or " kept", dtype, m, n,
      shared and " shared" or ""), reduction(kind, dim, clear, dtype, shared), {}, {a, o},
    {[2] = reference(kind, dim, clear, a, o)}, {rtol = 1e-4, atol = 1e-3})
end

for _, kind in ipairs {"sum", "max", "min", "abssum", "absmax"} do
  for dim = 0, 1 do
    check(kind, dim, true, "float32", 32, 64)
    check(kind, dim, kind == "abssum", "float32", 64, 48)
  end
end
for _, kind in ipairs {"bitand", "bitor", "bitxor"} do
  check(kind, 1, true, "int32", 16, 64)
  check(kind, 0, false, "int32", 16, 64)
end
for _, size in ipairs {{1, 1}, {1, 1000}, {1000, 1}, {3, 7}, {64, 2}, {128, 128}, {5, 8192}, {200, 33}} do
  check("sum", 1, true, "float32", size[1], size[2])
  check("max", 0, true, "float32", size[1], size[2])
end
check("sum", 1, true, "int32", 20, 50)
check("sum", 1, true, "float64", 20, 50)
check("max", 1, true, "float16", 20, 50)
for dim = 0, 1 do
  check("sum", dim, true, "float32", 40, 60, true)
end

-- Scans
local scan = tl.jit(function(A, dim, reverse)
  local M, N = T.const "M, N"
  A: T.Tensor({M, N}, T.float32)
  local B = T.empty({M, N}, T.float32)
  for _ in T.Kernel(1, {threads = 128}) do
    local s = T.alloc_shared({M, N}, T.float32)
    T.copy(A, s)
    T.cumsum(s, s, dim, reverse)
    T.copy(s, B)
  end
  return B
end)
for _, size in ipairs {{8, 64}, {33, 100}, {1, 1}, {64, 5}} do
  for dim = 0, 1 do
    for _, reverse in ipairs {false, true} do
      local m, n = size[1], size[2]
      local a = tl.randint(-9, 10, size, "int32"):astype "float32"
      local want = tl.zeros(size, "float32")
      local lines, len = dim == 0 and n or m, dim == 0 and m or n
      for l = 0, lines - 1 do
        local acc = 0
        for k = 0, len - 1 do
          local at = reverse and len - 1 - k or k
          local i, j = dim == 0 and at or l, dim == 0 and l or at
          acc = acc + a:item(i, j)
          want[{i, j}] = acc
        end
      end
      conform.case(("cumsum dim %d%s %dx%d"):format(dim, reverse and " reversed" or "", m, n), scan,
        {dim = dim, reverse = reverse}, {a}, {want}, {rtol = 0, atol = 0})
    end
  end
end
conform.done()
