-- Barriers of the block where it is not known that all threads come, among those that are right.
local function kernel(machine)
  return tl.jit(function(P, n)
    P: T.Tensor({256}, "int32")
    n: T.int32
    local C = T.empty({256}, "int32")
    for _ in T.Kernel(1, {threads = 256}) do
      local tx = T.get_thread_binding()
      local h, v = T.alloc_shared({256}, "int32"), T.alloc_var("int32", 0)
      h[tx] = P[tx]
      for i in T.serial(3) do
        if P[tx] > 50 + i then T.sync_threads() end
      end
      if tx > 50 then v = T.syncthreads_count(P[tx] > 3) end
      if tx < 64 then
        T.sync_threads() -- those threads have a barrier: one warp on machines of 64 lanes
        if P[tx] < 3 then T.sync_threads() end
      end
      if tx < 128 then T.sync_threads() end
      if tx < 9 and T.syncthreads_or(P[tx] > 3) ~= 0 then v = 1 end
      for i in T.serial(n) do
        T.sync_threads()
        if P[tx] == i then break end
        v = v + 1
      end
      T.sync_threads()
      while v < P[tx] do v = v + T.syncthreads_count(v == 3) end
      while T.syncthreads_or(v < P[tx]) ~= 0 do v = v + 1 end
      for i in T.serial(n) do
        if T.syncthreads_and(P[tx] > i) ~= 0 then break end
        T.sync_threads()
      end
      if h[0] > 3 or n == 4 then T.sync_threads() end
      if h[tx] > 3 then
        if T.syncthreads_or(v > 0) ~= 0 then v = 0 end
      end
      C[tx] = h[255 - tx] + v
    end
    return C
  end, {target = "sim -arch=" .. machine})
end
kernel "sm_80":compile()
local threads = tl.jit(function(P)
  P: T.Tensor({256}, "int32")
  local C = T.empty({256}, "int32")
  for bx in T.Kernel(2, {threads = 128}) do
    local tx = T.get_thread_binding()
    if bx == 0 then T.sync_threads() end
    C[bx * 128 + tx] = P[tx]
    if tx ~= 7 then T.sync_grid() end
  end
  return C
end, {target = "sim -arch=sm_80"})
threads:compile()
local wide = tl.jit(function(P)
  P: T.Tensor({256}, "int32")
  local C = T.empty({256}, "int32")
  for _ in T.Kernel(1, {threads = 256}) do
    local tx = T.get_thread_binding()
    if P[tx] > 3 then T.sync_threads() end
    if tx < 64 then T.sync_threads() end
    C[tx] = P[tx]
  end
  return C
end, {target = "sim -arch=gfx942"})
wide:compile()
error "it was told"
