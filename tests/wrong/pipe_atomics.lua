tl.set_target "sim -arch=sm_80"
tl.jit(function()
  local C = T.empty({64}, "int32")
  for _ in T.Kernel(1, {threads = 64}) do
    local s = T.alloc_shared({64}, "int32")
    T.fill(s, 0)
    for k in T.Pipelined(4, {num_stages = 2, stage = {0, 1}, order = {0, 1}}) do
      for i in T.Parallel(64) do T.atomic_add(s[63 - i], 1) end
      for i in T.Parallel(64) do T.atomic_max(s[i], k * 20) end
    end
    T.copy(s, C)
  end
  return C
end)()
