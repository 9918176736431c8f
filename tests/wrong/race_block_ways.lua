-- a block updates in both of the ways that others update in one of
tl.jit(function()
  local C = T.empty({64}, "int32")
  local D = T.empty({64}, "int32")
  for _ in T.Kernel(1) do
    T.clear(C)
    T.clear(D)
  end
  for bx in T.Kernel(3, {threads = 64}) do
    for i in T.Parallel(32) do -- right: an element is one block's
      T.atomic_add(D[bx * 32 // 2 + i // 2], 1)
    end
    for i in T.Parallel(16) do T.atomic_max(D[bx * 16 + i], 3) end
    for i in T.Parallel(64) do T.atomic_add(C[i], 1) end
    if bx == 0 then
      for i in T.Parallel(64) do T.atomic_max(C[i], 3) end
    end
  end
  return C, D
end)()
error "it was told"
