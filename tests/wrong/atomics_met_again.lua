-- two of the sums meet each other, which they may, before one meets a maximum
tl.jit(function()
  local C = T.empty({64}, "int32")
  for bx in T.Kernel(1, {threads = 128}) do
    local s = T.alloc_shared({64}, "int32")
    T.clear(s)
    for i in T.Parallel(32) do
      T.atomic_add(s[(i ~ 5) // 2], 1)
      T.atomic_max(s[i * i % 32], 1)
    end
    T.copy(s, C)
  end
  return C
end)()
