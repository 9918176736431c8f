-- Barriers of the block where it is not known that all threads come.
tl.set_target "sim -arch=sm_80"
local k = tl.jit(function(P)
  P: T.Tensor({256}, "int32")
  local C = T.empty({256}, "int32")
  for _ in T.Kernel(1, {threads = 256}) do
    local tx = T.get_thread_binding()
    local h, v = T.alloc_shared({256}, "int32"), T.alloc_var("int32", 0)
    h[tx] = P[tx]
    for i in T.serial(3) do
      if P[tx] > 50 + i then T.sync_threads() end
    end
    if tx > 50 then v = T.syncthreads_count(P[tx] > 3) end
    if tx < 128 then T.sync_threads() end -- those threads have a barrier
    if h[0] > 3 then T.sync_threads() end
    C[tx] = h[255 - tx] + v
  end
  return C
end)
k:compile()
error "it was told"
