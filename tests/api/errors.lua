-- What awkward arguments get: the function, the argument, what it takes and what it got.
tl.set_target "sim"
local f = tl.jit(function(A)
  A: T.Tensor({64}, T.float32)
  local C = T.empty({64}, T.float32)
  for bx in T.Kernel(1, {threads = 64}) do
    for i in T.Parallel(64) do
      C[i] = A[i] * 2
    end
  end
  return C
end)
local k, x = f:compile(), tl.ones({64}, "float32")
local p, l = k:get_profiler(), tl.layout.linear {8, 8}

local function show(run)
  local _, e = pcall(run)
  print(e)
end

show(function() k:bench(x) end)
show(function() k.bench(3) end)
show(function() k:bench {rounds = 0} end)
show(function() k:check {ref = "matmul"} end)
show(function() k:time() end)
show(function() k:time({x}, {times = "a"}) end)
show(function() p:assert_allclose() end)
show(function() p:do_bench {rep = "long"} end)
show(function() l:expand(3) end)
show(function() l:at("x", 0) end)
show(function() l:convert() end)
show(function() l:conflicts {lanes = 1 << 40} end)
show(function() tl.layout.padded("x") end)
show(function() tl.gemm(tl.ones {3}, k) end)
show(function() tl.autotune(f, {configs = {3}})(x) end)
show(function() tl.profiler.do_bench("f") end)
show(function() return k:bench {rounds = 1} < f end)
