-- Copies, views, reductions, scans, casts: each against plain Lua.
local check = dofile "lib/check.lua"
tl.manual_seed(4)

-- copies ------------------------------------------------------------------------

local copies = tl.jit(function(A, how)
  local M, N = T.const "M, N"
  A: T.Tensor({M, N}, T.float32)
  local B = T.empty({M, N}, T.float32)
  for bx in T.Kernel(1, {threads = 64}) do
    T.clear(B)
    how(A, B)
  end
  return B
end)

local a = tl.randn({7, 11})
local function A(i, j)
  return i >= 0 and j >= 0 and i < 7 and j < 11 and a[i, j] or 0
end

check.each("global to global", copies(a, T.macro(function(A, B) T.copy(A, B) end)), A)
check.each("open ends", copies(a, T.macro(function(A, B)
  T.copy(A[2:, :3], B[2:, :3])
  T.copy(A[:2, :], B[:2, :])
end)), function(i, j) return (i < 2 or j < 3) and A(i, j) or 0 end)
check.each("origin decides", copies(a, T.macro(function(A, B)
  local s = T.alloc_shared({4, 5}, T.float32)
  T.copy(A[3, 6], s)
  T.copy(s, B[3, 6])
end)), function(i, j) return i >= 3 and j >= 6 and A(i, j) or 0 end)
check.each("halo before the beginning", copies(a, T.macro(function(A, B)
  local s = T.alloc_shared({9, 13}, T.float32)
  T.copy(A[-1, -1], s)
  for i, j in T.Parallel(7, 11) do B[i, j] = s[i, j] + 10 * s[i + 2, j + 2] end
end)), function(i, j) return A(i - 1, j - 1) + 10 * A(i + 1, j + 1) end, 1e-5)
check.each("dropped writes", copies(a, T.macro(function(A, B)
  local s = T.alloc_shared({4, 20}, T.float32)
  T.fill(s, 3)
  T.copy(s, B[5, 8])
  T.copy(s, B[-3, -18])
end)), function(i, j) return (i >= 5 and j >= 8 or i < 1 and j < 2) and 3 or 0 end)
-- What lies below the beginning as a whole counts from the end, as an element does.
check.each("from the end", copies(a, T.macro(function(A, B)
  local s, v = T.alloc_shared({3, 5}, T.float32), T.alloc_shared({8}, T.float32)
  T.copy(A[-3, -5], s)
  T.copy(s, B[-7, 0])
  for i = 2, 3 do T.copy(A[-i, 0:8], B[3, 0:8]) end
  for i in T.serial(2) do
    T.copy(A[-1 - i, 3], v)
    T.copy(v[-4], B[i - 3, -4:-1])
    T.copy(v[0:1], v[-1])
    T.copy(v[4:8], B[i - 3, 0])
  end
end)), function(i, j)
  if i < 3 then
    return j < 5 and A(i + 4, j + 6) or 0
  elseif i == 3 then
    return j < 8 and A(4, j) or 0
  elseif i == 4 or i == 5 then
    local row = 6 - (i - 4)
    return j < 3 and A(row, j + 7) or j == 3 and A(row, 3) or j >= 7 and j < 10 and A(row, j) or 0
  end
  return 0
end)
check.each("row into vector", copies(a, T.macro(function(A, B)
  local v = T.alloc_fragment({11}, T.float32)
  for i in T.serial(7) do
    T.copy(A[i, 0:11], v)
    for j in T.Parallel(11) do v[j] = v[j] * 2 end
    T.copy(v, B[i, 0])
  end
end)), function(i, j) return 2 * A(i, j) end)
check.each("column into vector", copies(a, T.macro(function(A, B)
  local v = T.alloc_fragment({7, 1}, T.float32)
  for j in T.serial(11) do
    T.copy(A[0:7, j:j + 1], v)
    T.copy(v, B[0:7, 10 - j:11 - j])
  end
end)), function(i, j) return A(i, 10 - j) end)
check.each("shared, fragment, local", copies(a, T.macro(function(A, B)
  local s, s2 = T.alloc_shared({7, 11}, T.float32), T.alloc_shared({7, 11}, T.float16)
  local f = T.alloc_fragment({7, 11}, T.float32)
  T.copy(A, s)
  T.copy(s, s2)
  T.copy(s2, f)
  T.copy(f[0:3, 0:11], s[4:7, 0:11])
  T.copy(s, B)
end)), function(i, j)
  return i < 4 and A(i, j) or tl.full({1}, A(i - 4, j), "float16"):item(0)
end)
check.each("transpose", copies(a, T.macro(function(A, B)
  local s, t = T.alloc_shared({7, 11}, T.float32), T.alloc_shared({11, 7}, T.float32)
  T.copy(A, s)
  T.transpose(s, t)
  for i, j in T.Parallel(7, 11) do B[i, j] = t[j, i] + 1 end
end)), function(i, j) return A(i, j) + 1 end, 1e-6)
check.each("slice assignment in a loop", copies(a, T.macro(function(A, B)
  for i in T.serial(3) do
    T.copy(A[2 * i:2 * i + 2, :], B[2 * i:2 * i + 2, :])
  end
end)), function(i, j) return i < 6 and A(i, j) or 0 end)
check.each("fill of a slice", copies(a, T.macro(function(A, B)
  T.fill(B[1:4, 2:], 5)
  T.clear(B[2, 3:5])
end)), function(i, j)
  return i >= 1 and i < 4 and j >= 2 and not (i == 2 and (j == 3 or j == 4)) and 5 or 0
end)

-- edges ------------------------------------------------------------------------------

local safe = tl.jit(function(X, v)
  local N = T.const "N"
  X: T.Tensor({N}, T.float16)
  local O = T.empty({N + 4}, T.float32)
  for bx in T.Kernel(T.ceildiv(N + 4, 8)) do
    local s = T.alloc_shared({8}, T.float16)
    T.annotate_safe_value {[X] = v}
    T.copy(X[bx * 8 - 2], s)
    T.copy(s, O[bx * 8])
  end
  return O
end)
local x = tl.randn({21}, "float16")
for _, v in ipairs {-1, 2.5, -math.huge} do
  check.each("safe value " .. v, safe(x, v), function(i)
    return i >= 2 and i < 23 and x[i - 2] or v
  end)
end

-- Each kernel of a function has its own.
local two = tl.jit(function(X)
  X: T.Tensor({5}, "float32")
  local O = T.empty({3, 8}, "float32")
  for bx in T.Kernel(1, {threads = 32}) do
    T.annotate_safe_value {[X] = 1.0}
    for i in T.Parallel(8) do O[0, i] = X[i] end
  end
  for bx in T.Kernel(1, {threads = 32}) do
    local s = T.alloc_shared({8}, "float32")
    T.copy(X[0:8], s)
    T.copy(s, O[1, 0:8])
  end
  for bx in T.Kernel(1, {threads = 32}) do
    local s = T.alloc_shared({8}, "float32")
    T.copy(X[0:8], s)
    T.annotate_safe_value {[X] = 2.0}
    T.copy(s, O[2, 0:8])
  end
  return O
end)
check.each("safe value of a kernel", two(tl.full({5}, 7.0)), function(k, i)
  return i < 5 and 7 or ({1, 0, 2})[k + 1]
end)

local shift = tl.jit(function(X, d)
  local M, N = T.const "M, N"
  X: T.Tensor({M, N}, T.int32)
  local O = T.empty({M, N}, T.int32)
  for bx, by in T.Kernel(T.ceildiv(N, 4), T.ceildiv(M, 4)) do
    for i, j in T.Parallel(4, 4) do
      O[by * 4 + i, bx * 4 + j] = X[by * 4 + i - d, bx * 4 + j + d] + 1
    end
  end
  return O
end)
local xi = tl.randint(-9, 9, {5, 6}, "int32")
for d = -2, 2 do
  check.each("elements outside, shift " .. d, shift(xi, d), function(i, j)
    local r, c = i - d, j + d
    return 1 + (r >= 0 and r < 5 and c >= 0 and c < 6 and xi[r, c] or 0)
  end)
end

-- reductions --------------------------------------------------------------------------

local combine = {
  sum = {0, function(p, q) return p + q end},
  abssum = {0, function(p, q) return p + math.abs(q) end},
  max = {-math.huge, math.max},
  min = {math.huge, math.min},
  absmax = {0, function(p, q) return math.max(p, math.abs(q)) end},
  bitand = {-1, function(p, q) return p & q end},
  bitor = {0, function(p, q) return p | q end},
  bitxor = {0, function(p, q) return p ~ q end},
}

local reduce = tl.jit(function(X, kind, shape, dim, clear, keep, scope, dtype)
  X: T.Tensor(shape, dtype)
  local out = {}
  for d, n in ipairs(shape) do
    if d - 1 ~= dim % #shape then out[#out + 1] = n elseif keep then out[#out + 1] = 1 end
  end
  local O = T.empty(out, dtype)
  for bx in T.Kernel(1, {threads = 64}) do
    local f = scope == "shared" and T.alloc_shared(shape, dtype) or T.alloc_fragment(shape, dtype)
    local r = T.alloc_fragment(out, dtype)
    T.copy(X, f)
    if not clear then T.fill(r, 3) end
    if kind == "abssum" then
      T.reduce_abssum(f, r, dim)
    else
      T.reduce(f, r, kind, dim, clear)
    end
    T.copy(r, O)
  end
  return O
end)

local function check_reduce(kind, shape, dim, clear, keep, scope, dtype)
  local t = dtype:find "int" and tl.randint(-50, 50, shape, dtype) or tl.randn(shape, dtype)
  local got = reduce(t, kind, shape, dim, clear, keep, scope, dtype)
  local axis = dim % #shape + 1
  local first, f = table.unpack(combine[kind])
  local what = ("%s of {%s} along %d%s%s"):format(kind, table.concat(shape, ","), dim,
    keep and " keeping it" or "", clear and "" or " onto 3")
  check.each(what, got, function(...)
    local at = {...}
    if keep then table.remove(at, axis) end
    table.insert(at, axis, 0)
    local v = clear and first or 3
    for k = 0, shape[axis] - 1 do
      at[axis] = k
      v = f(v, t:item(table.unpack(at)))
    end
    return v
  end, dtype:find "int" and 0 or dtype == "float16" and 1e-2 or 1e-5)
end

for _, kind in ipairs {"sum", "max", "min", "absmax"} do
  for dim = -2, 1 do check_reduce(kind, {6, 9}, dim, true, false, "fragment", "float32") end
  for dim = 0, 2 do check_reduce(kind, {3, 4, 5}, dim, true, dim == 1, "fragment", "float32") end
  check_reduce(kind, {5, 7}, 1, false, false, "fragment", "float32")
  check_reduce(kind, {5, 7}, 0, false, true, "shared", "float16")
  check_reduce(kind, {13}, 0, true, true, "fragment", "float32")
  check_reduce(kind, {6, 9}, 1, true, false, "shared", "int32")
end
check_reduce("abssum", {6, 9}, 1, true, false, "fragment", "float32")
check_reduce("abssum", {6, 9}, 0, true, true, "shared", "float32")
for _, kind in ipairs {"bitand", "bitor", "bitxor"} do
  check_reduce(kind, {6, 9}, 1, true, false, "fragment", "int32")
  check_reduce(kind, {6, 9}, 0, false, false, "fragment", "int32")
  check_reduce(kind, {3, 4, 2}, 1, true, true, "shared", "int8")
end

-- scans -----------------------------------------------------------------------------------

local scan = tl.jit(function(X, what, shape, dim, reverse, inplace)
  X: T.Tensor(shape, T.float32)
  local O = T.empty(shape, T.float32)
  for bx in T.Kernel(1) do
    local s = T.alloc_shared(shape, T.float32)
    T.copy(X, s)
    local f = what == "sum" and T.cumsum or T.cummax
    if inplace then
      f(s, {dim = dim, reverse = reverse})
      T.copy(s, O)
    else
      local d = T.alloc_fragment(shape, T.float32)
      f(s, d, dim, reverse)
      T.copy(d, O)
    end
  end
  return O
end)
for _, case in ipairs {{{9}, 0}, {{4, 7}, 0}, {{4, 7}, 1}, {{4, 7}, -1}} do
  local shape, dim = case[1], case[2]
  local t = tl.randn(shape)
  local axis = dim % #shape + 1
  for _, reverse in ipairs {false, true} do
    for what, f in pairs {sum = function(p, q) return p + q end, max = math.max} do
      check.each(("cum%s along %d of %d%s"):format(what, dim, #shape, reverse and " reversed" or ""),
        scan(t, what, shape, dim, reverse, reverse), function(...)
          local at = {...}
          local last, v = at[axis], nil
          for k = reverse and shape[axis] - 1 or 0, last, reverse and -1 or 1 do
            at[axis] = k
            local e = t:item(table.unpack(at))
            v = v and f(v, e) or e
          end
          return v
        end, 1e-5)
    end
  end
end

-- any_of, all_of -------------------------------------------------------------------------

local votes = tl.jit(function(X)
  local M, N = T.const "M, N"
  X: T.Tensor({M, N}, T.int32)
  local O = T.empty({M, 2}, T.int32)
  for bx in T.Kernel(M, {threads = 1}) do
    local s = T.alloc_shared({N}, T.int32)
    T.copy(X[bx, 0:N], s)
    if T.any_of(s) then O[bx, 0] = 1 else O[bx, 0] = 0 end
    O[bx, 1] = T.if_then_else(T.all_of(s[1:N]), 1, 0)
  end
  return O
end)
check.close("any_of and all_of", votes(tl.from_table({{0, 0, 0}, {0, 2, 0}, {0, 1, 4}, {1, 1, 1}}, "int32")),
  {{0, 0}, {1, 0}, {1, 1}, {1, 1}})

-- views --------------------------------------------------------------------------------------

local views = tl.jit(function(X)
  local N = T.const "N"
  X: T.Tensor({N}, T.float32)
  local U = T.empty({N}, T.uint32)
  local V = T.empty({N // 4, 4}, T.float32)
  local H = T.empty({N}, T.uint16)
  for bx in T.Kernel(1) do
    local s = T.alloc_shared({N}, T.float32)
    T.copy(X, s)
    T.copy(T.view(s, {N}, T.uint32), U)
    T.copy(T.reshape(s, {N // 4, 4}), V)
    for i in T.Parallel(N) do
      H[i] = T.reinterpret(T.cast(i - 2, T.float16), T.uint16)
    end
  end
  return U, V, H
end)
local xv = tl.randn({12})
local u, v, h = views(xv)
check.each("view as bits", u, function(i) return (string.unpack("<I4", string.pack("<f", xv[i]))) end)
check.each("reshape", v, function(i, j) return xv[4 * i + j] end)
local half = {[0] = 0xc000, 0xbc00, 0, 0x3c00, 0x4000, 0x4200, 0x4400, 0x4500, 0x4600, 0x4700,
  0x4800, 0x4880}
check.each("reinterpret", h, function(i) return half[i] end)

check.done()
