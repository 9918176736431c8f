-- Masks that leave out who executes the call, or whom it asks.
local k = tl.jit(function(X)
  X: T.Tensor({96}, "int32")
  local C = T.empty({96}, "int32")
  for _ in T.Kernel(1, {threads = 96}) do
    local tx = T.get_thread_binding()
    if tx < 48 then T.sync_warp(0xFFFF) end
    C[tx] = T.shfl_down(X[tx], 4, {mask = T.match_any_sync(tx // 16)})
  end
  return C
end, {target = "sim -arch=gfx942"})
k(tl.arange(96, "int32"))
