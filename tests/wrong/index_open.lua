-- Indices of tiles that memory or arguments decide: a note where the target does not look at them.
local function kernel(target)
  return tl.jit(function(X, B, s)
    X: T.Tensor({64}, "int32")
    B: T.Tensor({64}, "int32")
    s: T.int32
    for _ in T.Kernel(1, {threads = 64}) do
      local f, g = T.alloc_shared({64, 2}, "int32"), T.alloc_local({4}, "int32")
      T.clear(f)
      for i in T.Parallel(64) do T.atomic_add(f[X[i], 1], i) end
      f[3, s] = 7
      for i in T.serial(4) do g[(i + s) // 2] = i end
      T.copy(f[s:s + 4, 0], B[0:4])
      -- these are known, or asked about
      f[s % 64, 0] = 1
      f[T.max(T.min(s, 63), 0), 0] = 1
      if s >= 0 and s < 4 then g[s] = f[s, 0] end
      for i in T.Parallel(64) do if X[i] < 64 then T.atomic_add(f[X[i], 0], 1) end end
      for i in T.Parallel(64) do B[i] = f[i, 1] + g[0] end
    end
  end, {target = target})
end
for _, target in ipairs {"cpu", "sim -arch=sm_80", "cuda -arch=sm_80"} do
  kernel(target):compile {}:get_kernel_source()
end
error "it was told"
