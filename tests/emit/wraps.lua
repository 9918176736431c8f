-- Integers wrap: sums of a warp are unsigned ones in the text for GPUs, and T.abs negates so.
for _, target in ipairs {"cuda -arch=sm_80", "hip -arch=gfx942", "maca"} do
  for _, dt in ipairs {"int32", "int64", "uint32", "int16"} do
    local f = tl.jit(function(X)
      X: T.Tensor({64}, dt)
      local C, D = T.empty({64}, dt), T.empty({64}, dt)
      for bx in T.Kernel(1, {threads = 64}) do
        local tx = T.get_thread_binding()
        C[tx] = T.warp_reduce_sum(X[tx])
        D[tx] = T.abs(X[tx])
      end
      return C, D
    end, {target = target})
    print(target, dt)
    for line in f:compile {}:get_kernel_source():gmatch "[^\n]+" do
      if line:find "x %+ y" or line:find "%)x %+" or line:find "abs" then print(line) end
    end
  end
end
