-- A fragment of bytes is seen as halves and staged; a half without a value beside one that has one is moved with it, and
-- the byte may be read.  A byte of which neither half was written may not.
local function kernel(step)
  return tl.jit(function(A)
    A: T.Tensor({512}, "int32")
    local O = T.empty({512}, "int32")
    for bx in T.Kernel(1, {threads = 128}) do
      local a, c = T.alloc_fragment({512}, "int32"), T.alloc_fragment({256}, "uint8")
      local b = T.view(c, {512}, "uint4")
      for i in T.Parallel(512 // step) do a[step * i] = A[step * i] end
      T.copy(a, b)
      for i, j in T.Parallel(8, 32) do b[i * 64 + 2 * j + 1] = T.cast(b[i * 64 + (2 * j + 2) % 64], "int32") + 1 end
      for i in T.Parallel(512) do O[i] = b[i] end
    end
    return O
  end, {target = "sim -arch=sm_90a"})
end

local A = {}
for i = 1, 512 do A[i] = i - 1 end
for _, step in ipairs {2, 4} do
  local ok, O = pcall(function() return kernel(step)(tl.from_table(A, "int32")):totable() end)
  print(step, ok and table.concat(O, " ", 1, 16) or tostring(O):match "E%d+[^\n]*")
end
