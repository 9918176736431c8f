-- More iterations than a layout numbers: refused by name for threads (E089), loops on the cpu.
local many = tl.jit(function(X)
  X: T.Tensor({64}, "float32")
  for _ in T.Kernel(1, {threads = 128}) do
    for i, j, k in T.Parallel(100000, 100000, 1000) do T.atomic_add(X[(i + j + k) % 64], 1) end
  end
end)
local line = tl.jit(function(X)
  X: T.Tensor({5000000000}, "int8")
  for _ in T.Kernel() do
    for i in T.Parallel(5000000000) do X[i] = 1 end
  end
end)
for _, target in ipairs{"sim -arch=sm_90a", "sim -arch=gfx942", "cpu"} do
  tl.set_target(target)
  for _, k in ipairs{many, line} do
    print(target, pcall(k.compile, k, {}) and "compiles" or "does not")
  end
end
