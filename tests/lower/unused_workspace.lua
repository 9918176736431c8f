-- Workspaces that nothing touches, or only loops without rounds: the kernel does not have them.
local k = tl.jit(function(A)
  A: T.Tensor({64}, T.float32)
  for _ in T.Kernel(1, {threads = 64}) do
    local g = T.alloc_global({64}, T.float32)
    local h = T.view(g, {8, 8})
    for i in T.Parallel(64) do A[i] += 1 end
    for q in T.serial(0) do h[q, 0] = 3 g[q] = 4 end
  end
  for _ in T.Kernel(1, {threads = 64}) do
    local w = T.alloc_global({64}, T.float32)
    for i in T.Parallel(64) do w[i] = A[i] end
    for i in T.Parallel(64) do A[i] += w[i] end
  end
end)
for _, target in ipairs {"cpu", "sim -arch=sm_75", "sim -arch=sm_90a", "sim -arch=c500", "sim -arch=gfx942"} do
  local a = tl.zeros({64}, "float32")
  k.opts.target = target
  k(a)
  print(target, a:sum(), a:max())
end
for _, target in ipairs {"cuda -arch=sm_80", "cuda -arch=sm_90a", "hip -arch=gfx942", "maca"} do
  k.opts.target = target
  for head in k:compile():get_kernel_source():gmatch "\n(k_[%w_]*%b())" do print(target, head) end
end
