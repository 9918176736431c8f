-- tl.jit in the eager style: how arguments and constants reach the kernel.
local scale = tl.jit(function(X, alpha, BN)
  local n = T.const "n"
  X: T.Tensor({n}, T.float32)
  alpha: T.float32
  BN = BN or 64
  local O = T.empty({n}, T.float32)
  for bx in T.Kernel(T.ceildiv(n, BN)) do
    for i in T.Parallel(BN) do
      O[bx * BN + i] = X[bx * BN + i] * alpha
    end
  end
  return O
end)

local x = tl.arange(100, "float32")
print("by position", scale(x, 2, 32):sum())
print("by name", scale(x, {alpha = 3, BN = 32}):sum())
print("default of the function", scale(x, 0.5):sum())
print(scale)
print("another length", scale(tl.ones{7}, 4, 32))
print(scale)
local k = scale:compile {n = 128, BN = 64}
print("compiled by sizes", k(tl.ones{128}, 2):sum(), k.config.n, k.config.BN)
print("compiled by tensors", scale:compile(x, 1, 32) == scale:compile(x, 5, 32))
print(k:get_kernel_source() == scale:get_kernel_source {n = 128, BN = 64})

-- several results, run-time dimensions, dimensions that are expressions
local halves = tl.jit(function(X)
  local m = T.dynamic "m"
  local N = T.const "N"
  X: T.Tensor({m, N}, "float32")
  local L = T.empty({m, N // 2}, "float32")
  local R = T.empty(m, N // 2, {dtype = "float16"})
  for by in T.Kernel(m) do
    for j in T.Parallel(N // 2) do
      L[by, j] = X[by, j]
      R[by, j] = X[by, j + N // 2]
    end
  end
  return L, R
end)
local l, r = halves(tl.arange(24, "float32"):reshape({3, 8}))
print(l, r, halves)
l, r = halves(tl.arange(40, "float32"):reshape({5, 8}))
print(l.shape[1], r.dtype, halves)

-- compile-time values of all kinds are part of the key
local n_traced = 0
local f = tl.jit(function(A, dtype, flag, list, fn)
  n_traced = n_traced + 1
  A: T.Tensor({16}, dtype)
  for bx in T.Kernel(1) do
    for i in T.Parallel(16) do
      A[i] = fn(i) + list[1] + (flag and 1 or 0)
    end
  end
end)
local function double(v) return v * 2 end
local a = tl.zeros({16}, "int32")
f(a, "int32", true, {5}, double)
print(a)
local before = n_traced
f(a, "int32", true, {5}, double)
print("traced again:", n_traced - before)
f(a, "int32", false, {5}, double)
f(a, "int32", false, {6}, double)
print(f, a:max())

-- an in-place kernel returns nothing; plain Lua spelling of annotations
local inc = tl.jit(function(A)
  A = T.annotate(A, T.Tensor({4}, "int32"))
  for bx in T.Kernel(1) do
    for i in T.serial(4) do
      A[{i}] = A[i] + 1
    end
  end
end)
local v = tl.zeros({4}, "int32")
print(select("#", inc(v)), v)

-- the cache of kernels
tl.disable_cache()
before = n_traced
f(a, "int32", true, {5}, double)
f(a, "int32", true, {5}, double)
print("without a cache:", n_traced - before, tl.is_cache_enabled())
tl.enable_cache()
local ks = scale:par_compile {{n = 8, BN = 8}, {n = 16, BN = 8}}
print(#ks, ks[2].config.n)

-- a parameter that gets no value, and uses of the constants before the kernel begins
local scaled = tl.jit(function(A, causal, THREADS)
  local N = T.const "N"
  A: T.Tensor({N}, T.float32)
  local B = T.empty({N}, T.float32)
  local root = math.sqrt(N)
  for bx in T.Kernel(1, {threads = THREADS}) do
    for i in T.Parallel(N) do
      B[i] = A[i] * (causal and root or 1)
    end
  end
  return B
end)
print(scaled:compile{N = 16, causal = true}.config.N, scaled(tl.ones({16}, "float32"), true):max())
print(scaled:compile{N = 16, THREADS = 32}.config.THREADS)
