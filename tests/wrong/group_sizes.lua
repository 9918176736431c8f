-- Two ways to count groups of threads, on a machine whose warps have 64 lanes.
tl.set_target "sim -arch=gfx942"
local k = tl.jit(function(X)
  X: T.Tensor({64}, "int32")
  local Y = T.empty({64}, "int32")
  for _ in T.Kernel(1, {threads = 256}) do
    local s = T.alloc_shared({64}, "int32")
    for _ in T.ws(0) do T.copy(X, s) end
    if T.get_warp_group_idx() == 1 then T.copy(s, Y) end
  end
  return Y
end)
k:compile()
local meant = tl.jit(function(X)
  X: T.Tensor({64}, "int32")
  local Y = T.empty({64}, "int32")
  for _ in T.Kernel(1, {threads = 512}) do
    local s = T.alloc_shared({64}, "int32")
    for _ in T.ws(0) do T.copy(X, s) end
    if T.get_warp_group_idx(64, 8) == 0 then T.copy(s, Y) end -- all of them, as it says
  end
  return Y
end)
meant:compile()
error "it was told"
