-- T.prim_func with tl.compile, and tl.jit of a function that returns one.
local function add(N, dtype)
  return T.prim_func(function(A, B, C)
    A: T.Tensor({N}, dtype)
    B: T.Tensor({N}, dtype)
    C: T.Tensor({N}, dtype)
    for bx in T.Kernel(T.ceildiv(N, 32), {threads = 32}) do
      for i in T.Parallel(32) do
        C[bx * 32 + i] = A[bx * 32 + i] + B[bx * 32 + i]
      end
    end
  end)
end

local p = add(40, "float32")
print(p)
local x, y, z = tl.ones{40}, tl.full({40}, 2.0), tl.zeros{40}
local k = tl.compile(p)
k(x, y, z)
print(z:sum())

k = tl.compile(add(40, "float32"), {out_idx = {-1}, target = "cpu", fast_math = true})
print(k(x, y):sum(), #k.params, k.name)
k = tl.compile(add(40, "float32"), -1)
print(k(x, y):sum())
k = tl.compile(add(40, "float32"), {out_idx = {2}, pass_configs = {[tl.PassConfigKey.TL_ENABLE_FAST_MATH] = true}})
print(k(x, y):sum())

local twice = add(40, "float32")
k = tl.compile(twice)
k(x, y, z)
print(z:sum(), tl.compile(twice, {out_idx = -1})(x, y):sum())

local jitted = tl.jit(add, {out_idx = {2}})
k = jitted(40, "float32")
print(k(x, y):sum(), jitted(40, "float32") == k, jitted)
local decorated = tl.jit{out_idx = -1}(add)
print(decorated{N = 40, dtype = "float32"}(x, y):sum())

-- run-time sizes: one kernel for all
local m = T.dynamic "m"
local copy = tl.compile(T.prim_func(function(A, B)
  A: T.Tensor({m, 8}, "float32")
  B: T.Tensor({m, 8}, "float32")
  for bx in T.Kernel(T.ceildiv(m, 4)) do
    T.copy(A[bx * 4, 0], B[bx * 4 : bx * 4 + 4, :])
  end
end), {out_idx = -1})
for _, n in ipairs {1, 4, 7} do
  local a = tl.randn{n, 8}
  print(n, copy(a):equal(a))
end

-- profiler
local prof = k:get_profiler()
print(prof:do_bench() > 0, prof:do_bench(1, 1) > 0, prof:do_bench{n_warmup = 1, n_repeat = 3, return_mode = "min"} > 0)
print(#prof:do_bench{n_warmup = 1, n_repeat = 5, quantiles = {0.2, 0.5}})
prof:assert_allclose(function(a, b) return a + b end)
prof:assert_allclose(function(a, b) return a + b end, 1e-3, 1e-3)
prof:assert_consistent(3)
print(prof:run_once().shape[1], k:bench{n_warmup = 1, n_repeat = 1} > 0)
print(pcall(prof.assert_allclose, prof, function(a) return a + 1e6 end))

local tuned = tl.autotune({{BN = 8}, {BN = 16}, {BN = 0}} and tl.jit(function(A, BN)
  local n = T.const "n"
  A: T.Tensor({n}, "float32")
  local B = T.empty({n}, "float32")
  for bx in T.Kernel(T.ceildiv(n, BN)) do
    T.copy(A[bx * BN : bx * BN + BN], B[bx * BN : bx * BN + BN])
  end
  return B
end), {configs = {{BN = 8}, {BN = 16}, {BN = 0}}, warmup = 1, rep = 2})
print(tuned(x):sum(), tuned.best.latency > 0, tuned.best.config.BN > 0)
