-- The host side: forms of tl.jit and calls, kernel objects, profiler, errors.
local check = dofile "lib/check.lua"
tl.manual_seed(9)

local add = tl.jit(function(A, B, BN)
  local N = T.const "N"
  A: T.Tensor({N}, T.float32)
  B: T.Tensor({N}, T.float32)
  local C = T.empty({N}, T.float32)
  for bx in T.Kernel(T.ceildiv(N, BN)) do
    for i in T.Parallel(BN) do C[bx * BN + i] = A[bx * BN + i] + B[bx * BN + i] end
  end
  return C
end)
local a, b = tl.randn({100}), tl.randn({100})

-- calls
check.close("by position", add(a, b, 32), a + b)
check.close("last table", add(a, b, {BN = 32}), a + b)
check.close("all by name", add {A = a, B = b, BN = 32}, a + b)
check.equal("one kernel for equal values", tostring(add), "jit add(A, B, BN), 1 kernel")
add(a, b, 16)
add(a[0:50], b[0:50], 16)
check.equal("one for each set", tostring(add), "jit add(A, B, BN), 3 kernels")

-- kernels
local k = add:compile{N = 100, BN = 32}
check.close("compile", k(a, b), a + b)
check.equal("printed", tostring(k):match "^[^\n]*",
  "kernel add(A: float32[100], B: float32[100]) -> C: float32[100]")
check.equal("source", k:get_kernel_source() == add:get_kernel_source{N = 100, BN = 32}, true)
check.equal("ir", k:ir():match "\nkernel add", "\nkernel add")
check.equal("of tensors", add:compile(a, b, 32) == k, true)
check.equal("par_compile", #add:par_compile {{N = 5, BN = 8}, {N = 6, BN = 8}}, 2)

-- profiler
local p = k:get_profiler()
check.equal("do_bench", p:do_bench{warmup = 1, rep = 2} > 0, true)
check.equal("do_bench counts", p:do_bench{n_warmup = 1, n_repeat = 3, return_mode = "median"} > 0, true)
check.equal("do_bench quantiles", #p:do_bench{warmup = 1, rep = 2, quantiles = {0.2, 0.5, 0.8}}, 3)
check.equal("bench", k:bench{warmup = 1, rep = 2} > 0, true)
check.equal("free do_bench", tl.profiler.do_bench(function() k(a, b) end, {warmup = 1, rep = 2}) > 0, true)
p:assert_allclose(function(x, y) return x + y end, {atol = 1e-5, rtol = 1e-5})
check.equal("run_once", tl.istensor(p:run_once()), true)

-- tuning: searched once; values that the caller gives are not tuned
local tuned = tl.autotune {configs = {{BN = 16}, {BN = 64}}, warmup = 1, rep = 2}(add)
check.close("autotune", tuned(a, b), a + b)
check.equal("its choice", tuned.best.config.BN == 16 or tuned.best.config.BN == 64, true)
check.equal("its kernel", tuned:compile{N = 100}.latency > 0, true)
check.close("a value given", tuned(a, b, 128), a + b)
check.equal("and compiled", tuned:compile{N = 100, BN = 8}.config.BN, 8)

-- errors
check.fails("wrong count", function() k(a) end, "E262")
check.fails("wrong dtype", function() k(a, b:half()) end, "E264")
check.fails("wrong shape", function() k(a, b[0:99]) end, "E266")
check.fails("not contiguous", function() k(a, tl.randn({100, 2})[:, 0]) end, "compact")
check.fails("two values of N", function() add(a, b[0:99], 32) end, "E265")
check.fails("too many", function() add(a, b, 32, 5) end, "E274")
check.fails("missing tensor", function() add(a, {BN = 32}) end, "E272")
check.fails("missing value", function() add(a, b) end, "`BN` of `add` has no value")
check.fails("misspelled value", function() add(a, b, {BM = 32}) end, "did you mean `BN`")
check.fails("unknown name", function() add(a, b, {BN = 32, stages = 2}) end, "E271")
check.fails("mode", function() p:do_bench{return_mode = "avg"} end, "E290")
check.fails("wrong results", function() p:assert_allclose(function(x, y) return x - y end) end, "E240")
check.fails("out_idx of an eager function", function()
  tl.jit(function(A)
    A: T.Tensor({4}, T.float32)
    local B = T.empty({4}, T.float32)
    for bx in T.Kernel(1) do T.copy(A, B) end
    return B
  end, {out_idx = {1}})(tl.zeros{4})
end, "out_idx")
check.fails("a constant without a place", function()
  tl.jit(function(A)
    local N = T.const "N"
    A: T.Tensor({N // 2}, T.float32)
    for bx in T.Kernel(1) do T.clear(A) end
  end)(tl.zeros{4})
end, "E194")
check.fails("order of tensors", function() return a > b end, "E229")
check.fails("tl.ref.softmx", function() return tl.ref.softmx end, "tl.ref.softmax")

-- names that must not hang or break what is printed as C
for _, name in ipairs {"gemm", "gemm_nt", "atomic_add_test", "_private", "main", "Mt", "double",
  "int", "rt", "block", "kernel", "f32_f16", "scratch", "part", "floor", "_"} do
  local f = load(([[
    local %s = tl.jit(function(A, gemm_a)
      A: T.Tensor({8}, T.float16)
      for register in T.Kernel(1) do
        local gemm_x, Mtile = T.alloc_shared({8}, T.float32), T.alloc_fragment({8}, T.float32)
        local _t = T.alloc_var(T.float32, 0.0)
        T.copy(A, gemm_x)
        for _ in T.serial(2) do _t += 1.0 end
        for default in T.Parallel(8) do Mtile[default] = gemm_x[default] + _t + gemm_a end
        T.copy(Mtile, A)
      end
    end)
    return %s]]):format(name, name))
  local h = tl.zeros({8}, "float16")
  f()(h, 1)
  check.close("kernel " .. name, h, tl.full({8}, 3, "float16"))
end

check.done()
