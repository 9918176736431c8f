-- A fragment that is stored through a view of another shape: its staging tile begins where
-- boxes can (128 bytes), behind a tile that ends anywhere.
local stored = tl.jit(function(X)
  X: T.Tensor({40}, "float16")
  local O = T.empty({2, 4}, "int32")
  for bx in T.Kernel(1, {threads = 128}) do
    local small = T.alloc_shared({8}, "int32")
    local f = T.alloc_fragment({8}, "int32")
    T.copy(X[0:8], f)
    T.copy(X[8:16], small)
    for i in T.Parallel(8) do
      f[i] = f[i] - 3 * small[7 - i]
    end
    local other = T.reshape(f, {2, 4})
    T.copy(other, O[bx, bx])
  end
  return O
end)

local list = {}
for i = 1, 40 do
  list[i] = i
end
for _, arch in ipairs {"sm_80", "sm_90a", "c500"} do
  tl.set_target("sim -arch=" .. arch)
  print(arch, stored(tl.from_table(list, "float16")))
end
