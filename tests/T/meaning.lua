-- What constructs mean, by their results on the cpu target.
local function check(name, got, want)
  print(name, tl.allclose(got, want, 1e-4, 1e-4) and "ok" or tostring(got))
end

-- control flow on variables
local flow = tl.jit(function(X)
  X: T.Tensor({64}, "float32")
  local O, S = T.empty({64}, "float32"), T.empty({6}, "int32")
  local limit = T.macro(function(t, n)
    for i in T.Parallel(n) do
      if t[i] < 0 then
        t[i] = 0
      elseif t[i] > 1 then
        t[i] = 1
      end
    end
  end)
  for bx in T.Kernel(1) do
    local t = T.alloc_fragment({64}, "float32")
    T.copy(X, t)
    limit(t, 64)
    T.copy(t, O)
    local n, k = T.alloc_var("int32", 0), T.alloc_var("int32")
    k = 0
    while k < 10 do
      n += k
      k = k + 1
    end
    S[0] = n
    local c = T.alloc_var("int32", 0)
    for i in T.serial(100) do
      if i % 2 == 0 then goto continue end
      if i > 20 then break end
      c += 1
      ::continue::
    end
    S[1] = c
    local z = T.alloc_var("int32", 0)
    for i = 10, 1, -3 do z += i end
    S[2] = z
    local w = T.alloc_var("int32", {init = 0})
    for i in T.serial(0, 10, 3) do w += i end
    for i in T.unroll(4, {explicit = true}) do w += 1 end
    for i, j in T.grid(2, 3) do w += i * j end
    S[3] = w
    S[4] = n > 40 and not (c == 3) and 7 or 9
    for i in T.serial(100) do
      T.loop_break()
    end
    S[5] = T.if_then_else(n ~= 45 or c < 5, 1, 2)
  end
  return O, S
end)
local x = tl.arange(-32, 32, "float32") / 8
local o, s = flow(x)
print(o:min(), o:max(), s)

-- names hold values, elements are read when they are bound
local order = tl.jit(function(X)
  X: T.Tensor({8}, "float32")
  for bx in T.Kernel(1) do
    for i in T.serial(4) do
      local a, b = X[i], X[7 - i]
      X[i] = b
      X[7 - i] = a
    end
    local old = X[0]
    X[0] = 100
    X[1], X[2] = X[2], X[1]
    X[3] = old
    X[4] += 10
    X[5] *= X[4]
  end
end)
local v = tl.arange(8, "float32")
order(v)
print(v)

-- origins under a name, chained indices, slices as targets, transposition
local moves = tl.jit(function(A)
  local M, N = T.const "M, N"
  A: T.Tensor({M, N}, "float32")
  local B, C = T.empty({N, M}, "float32"), T.empty({M, N}, "float16")
  for bx, by in T.Kernel(T.ceildiv(N, 16), T.ceildiv(M, 16)) do
    local s, t = T.alloc_shared({16, 16}, "float32"), T.alloc_shared({16, 16}, "float32")
    local src, dst = A[by * 16, bx * 16], B[bx * 16, by * 16]
    T.copy(src, s)
    T.transpose(s, t)
    T.copy(t, dst)
    s[0:4, :] = 0
    s[4:8, 0:16] = s[8:12, :]
    s[12][3] = -1
    T.copy(s, C[by * 16, bx * 16])
  end
  return B, C
end)
local a = tl.randn{33, 50}
local b, c = moves(a)
check("transposed", b, a:transpose(0, 1):contiguous())
print(c[0, 5], c[12, 3], c[4, 7] == a:to("float16")[8, 7], c[32, 49])

-- strides, views, safe values
local st = T.dynamic "st"
local strided = tl.jit(function(X)
  X: T.StridedTensor({16, 16}, {st, 1}, "float32")
  local O, P = T.empty({4, 64}, "float32"), T.empty({20}, "float32")
  for bx in T.Kernel(1) do
    T.annotate_safe_value {[X] = -7}
    local f = T.alloc_shared({16, 16}, "float32")
    T.copy(X, f)
    T.copy(T.reshape(f, {4, 64}), O)
    local p = T.alloc_shared({1, 20}, "float32")
    T.copy(X[0, 0], p)
    T.copy(p, P)
  end
  return O, P
end)
local big = tl.randn{16, 40}
local view = big[:, 8:24]
local o4, p = strided(view)
check("strided", o4, view:contiguous():reshape({4, 64}))
print("safe value", p[15] == big[0, 23], p[16], p[19])

-- atomics
local at = tl.jit(function(X)
  X: T.Tensor({256}, "int32")
  local C, P, V = T.empty({8}, "int32"), T.empty({256}, "int32"), T.empty({4}, "float32")
  for bx in T.Kernel(4) do
    for i in T.serial(64) do
      local prev = T.atomic_add(C[0], 1, {return_prev = true})
      P[bx * 64 + i] = prev
      T.atomic_max(C[1], X[bx * 64 + i])
      T.atomic_or(C[2], 1 << (i % 16))
      T.atomic_add(C[3], X[bx * 64 + i], "relaxed")
      T.atomic_min(C[5], -X[bx * 64 + i], {memory_order = "release"})
    end
    if bx == 0 then T.atomic_store(C[4], T.atomic_load(X[5])) end
    T.atomic_addx4(V[0], {1, 2, 3, 4})
  end
  return C, P, V
end)
local cc, pp, vv = at(tl.arange(256, "int32"))
print(cc, pp:sum(), vv)

-- a fixed number of blocks for any number of tiles
local pers = tl.jit(function(A)
  local M, N = T.const "M, N"
  A: T.Tensor({M, N}, "float32")
  local B = T.empty({M, N}, "float32")
  for bx in T.Kernel(3) do
    for m, n in T.Persistent({T.ceildiv(M, 8), T.ceildiv(N, 16)}, 3, bx) do
      local t = T.alloc_shared({8, 16}, "float32")
      T.copy(A[m * 8, n * 16], t)
      T.copy(t, B[m * 8, n * 16])
    end
  end
  return B
end)
local pa = tl.randn{100, 70}
check("persistent", pers(pa), pa)

-- logical reductions, scans, accumulation into what is there
local red = tl.jit(function(A)
  A: T.Tensor({4, 8}, "float32")
  local R, S, F = T.empty({7, 4}, "float32"), T.empty({4, 8}, "float32"), T.empty({2}, "bool")
  for bx in T.Kernel(1) do
    local f, r = T.alloc_fragment({4, 8}, "float32"), T.alloc_fragment({4}, "float32")
    T.copy(A, f)
    T.reduce_sum(f, r, 1)             T.copy(r, R[0, :])
    T.reduce_max(f, r)                T.copy(r, R[1, :])
    T.reduce_min(f, r, {dim = -1})    T.copy(r, R[2, :])
    T.reduce_absmax(f, r, 1)          T.copy(r, R[3, :])
    T.reduce_abssum(f, r, 1)          T.copy(r, R[4, :])
    T.fill(r, 100)
    T.reduce_sum(f, r, 1, false)      T.copy(r, R[5, :])
    T.reduce(f, r, "max", 1, true)    T.copy(r, R[6, :])
    T.cumsum(f, f, {dim = 1})
    T.copy(f, S)
    F[0], F[1] = T.any_of(f[0:1, :]), T.all_of(f)
  end
  return R, S, F
end)
local ra = tl.arange(-16, 16, "float32"):reshape({4, 8})
local r, sums, flags = red(ra)
print(r)
print(sums[3, 7], flags)

-- printing and assertions
local talk = tl.jit(function(A)
  A: T.Tensor({4}, "float32")
  for bx in T.Kernel(2) do
    local t = T.alloc_shared({4}, "float32")
    T.copy(A, t)
    T.print(t, "tile")
    T.print(t[1] * 2, "twice")
    T.print(nil, "done")
    T.device_assert(A[0] < 10, "too big")
  end
end)
talk(tl.arange(4, "float32"))
local strict = tl.jit(function(A)
  A: T.Tensor({4}, T.float32)
  for bx in T.Kernel(1) do
    T.device_assert(A[3] < 10, "too big")
    A[0] = 1
  end
end)
local ok, e = pcall(strict, tl.full({4}, 50.0))
print(ok, e.id, e.line)
