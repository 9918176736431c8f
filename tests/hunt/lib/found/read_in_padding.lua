-- Wrong: E641. A loop over 16 columns is padded to 20, as the fragment it writes is; its iterations 16 to 19 read
-- registers of another fragment, which another iteration had yet to set.
local k = tl.jit(function(X)
  X: T.Tensor({8, 48}, "float32")
  local C = T.empty({16, 32}, "float32")
  for _ in T.Kernel(1, {threads = 128}) do
    local f1 = T.alloc_fragment({4, 16}, "float32")
    local f2 = T.alloc_fragment({4, 16}, "float16")
    local f3 = T.alloc_fragment({16}, "float16")
    local f4 = T.alloc_fragment({4, 4}, "float16")
    T.copy(X[1, 1], f1)
    for _ in T.serial(1, 3) do
      for i, j in T.Parallel(4, 16) do
        f2[i, j] = 1.0
        f1[i, j] = f2[i, j] - 1.0
      end
      for i, j in T.Parallel(4, 4) do
        f1[i, j * 5] = f2[1, 11]
        f4[i, j] = 2.0
      end
      for i in T.Parallel(16) do f3[i] = f4[1, 1] end
    end
    for i, j in T.Parallel(16, 32) do C[i, j] = f3[1] end
  end
  return C
end)
local c = k(tl.randn({8, 48}, "float32"))
for i = 0, 15 do assert(c:item(i, 0) == 2) end
print "right"
