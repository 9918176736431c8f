tl.jit(function()
  local C = T.empty({64}, "int32")
  for bx in T.Kernel(1, {threads = 128}) do
    local s = T.alloc_shared({64}, "int32")
    T.clear(s)
    for i in T.Parallel(128) do
      if i < 64 then T.atomic_add(s[i], 5) else T.atomic_max(s[127 - i], 7) end
    end
    T.copy(s, C)
  end
  return C
end)()
