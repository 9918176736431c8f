-- Barriers, votes and shuffles of warps: masks that may not be those who come, among right ones.
local function kernel(machine)
  return tl.jit(function(P, n)
    P: T.Tensor({256}, "int32")
    n: T.int32
    local C = T.empty({256}, "int32")
    for _ in T.Kernel(1, {threads = 256}) do
      local tx = T.get_thread_binding()
      local v, m = T.alloc_var("int32", 0), T.alloc_var("int64", 0)
      for i in T.serial(3) do
        if P[tx] > 50 + i then T.sync_warp() end
      end
      if tx % 2 == 0 then v = T.any_sync(P[tx] > 3) end
      if tx < 64 then
        T.sync_warp()
        if P[tx] < 3 then
          if n > 4 then v = T.shfl_xor(v, 1) end
        end
      end
      if tx < 40 then v = T.ballot(v > 3) else v = T.warp_reduce_sum(v) end
      if tx < 9 and T.all_sync(P[tx] > 3) ~= 0 then v = 1 end
      v = v + T.Select(P[tx] > 4, T.match_any_sync(v), 3)
      for i in T.serial(n) do
        T.sync_warp(0xFFFFFFFF)
        if P[tx] == i then break end
        v = v + 1
      end
      T.sync_warp(-1)
      while v < P[tx] do v = v + 1 + T.any_sync(v == 3) end
      while T.any_sync(v < P[tx]) ~= 0 do v = v + T.shfl_xor(v, 1) end
      if T.any_sync(P[tx] > n) ~= 0 then T.sync_warp() end
      if n == 4 then v = T.shfl_down(v, 1) end
      T.sync_warp(0xFFFF)
      v = T.any_sync(v > 3, {mask = 0x7FFFFFFF})
      if tx % 32 < 16 then v = T.any_sync(v > 3, {mask = 0xFFFF}) end
      if tx % 32 < 16 then v = T.any_sync(v > 3, {mask = 0x1FFFF}) end
      v = T.any_sync(v > 3, {mask = T.Select(tx % 32 < 16, 0xFFFF, 0xFFFFFFFF)})
      if tx % 32 < 16 then v = T.shfl_down(v, 8, {mask = 0xFFFF}) end
      v = T.shfl_xor(v, 16, {mask = T.Select(tx % 32 < 16, 0xFFFF, 0xFFFF0000)})
      m = T.ballot(P[tx] > 9)
      if P[tx] > 9 then T.sync_warp(m) end
      C[tx] = v
    end
    return C
  end, {target = "sim -arch=" .. machine})
end
kernel "sm_80":compile()
local small = tl.jit(function(P)
  P: T.Tensor({48}, "int32")
  local C = T.empty({48}, "int32")
  for _ in T.Kernel(1, {threads = 48}) do
    local tx = T.get_thread_binding()
    T.sync_warp()
    if tx >= 32 then T.sync_warp(0xFFFF) end
    if tx < 32 then T.sync_warp() else T.sync_warp() end
    C[tx] = P[tx]
  end
  return C
end, {target = "sim -arch=sm_80"})
small:compile()
local wide = tl.jit(function(P)
  P: T.Tensor({128}, "int32")
  local C = T.empty({128}, "int32")
  for _ in T.Kernel(1, {threads = 128}) do
    local tx = T.get_thread_binding()
    if tx % 64 < 32 then T.sync_warp() end
    if tx % 64 < 31 then T.sync_warp() end
    T.sync_warp(0xFFFFFFFFFFFF)
    C[tx] = P[tx]
  end
  return C
end, {target = "sim -arch=gfx942"})
wide:compile()
error "it was told"
