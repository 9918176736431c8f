-- Masks that name lanes which do not come, or come with another one.
local k = tl.jit(function(X)
  X: T.Tensor({64}, "int32")
  local C = T.empty({64}, "int32")
  for _ in T.Kernel(1, {threads = 64}) do
    local tx = T.get_thread_binding()
    local lane, v = T.get_lane_idx(), T.alloc_var("int32", 0)
    for r in T.serial(3) do
      if X[tx] >= 62 - r then v = T.any_sync(X[tx] > 0, {mask = T.Select(r == 1, 0xF0000000, T.activemask())}) end
    end
    C[tx] = v + T.shfl_xor(X[tx], 1, {mask = T.Select(lane < 30, 0xFFFFFFFF, 0xC0000000)})
  end
  return C
end, {target = "sim -arch=sm_80"})
k(tl.arange(64, "int32"))
