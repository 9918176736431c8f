-- As padding_stores.lua.
local function kernel(target)
  return tl.jit(function(X1, X3, R1)
    local n1 = T.const "n1"
    local n2 = T.dynamic "n2"
    X1: T.Tensor({n1, n2}, "int64")
    X3: T.Tensor({4}, "uint32")
    R1: T.Tensor({1}, "uint32")
    local O2 = T.empty({2, 2, 2}, "uint32")
    for bx, by in T.Kernel(2, 2, {threads = 64}) do
      local f1 = T.alloc_fragment({2, 5}, "uint32")
      local f2 = T.alloc_fragment({2}, "uint32")
      local f3 = T.alloc_fragment({2, 1}, "uint32")
      local s3 = T.alloc_shared({5, 2}, "uint32")
      T.copy(X1[0, (bx * 5)], f1)
      T.reduce_max(f1, f2, 1)
      T.reduce_min(f1, f3, 1)
      for i1 in T.Parallel(2) do
        if (f1[0, i1] > f1[i1, (i1 ~ 2)]) then
        elseif (f2[i1] ~= 7) then
          f2[i1] = (f1[((i1 + i1) % 2), i1] - (f1[(1 - i1), i1] - 15))
        end
      end
      for i2, i3 in T.Parallel(2, 5) do
        T.atomic_add(R1[0], T.cast((f1[(i3 % 2), (((i3 * 2) + 3) % 5)] >= (X3[i2] + 5)), "uint32"))
      end
      T.copy(X1[(by * 2), 0], f3)
      local ko1 = 0
      T.copy(X1[(ko1 * 5), (bx * 2)], s3)
      T.copy(f2, O2[by, bx, 0])
    end
    return O2
  end, {target = target})
end
local X1 = tl.from_table({{11, -6, 18, -6, 21, -18, 38, 25, 25, 31}, {11, 18, 25, 9, -10, 32, 31, 32, 39, 2}}, "int64")
local X3 = tl.from_table({39, 9, 34, 25}, "uint32")
local R1 = tl.from_table({28}, "uint32")
local O2 = kernel()(X1, X3, R1)
tl.testing.assert_close(R1, tl.from_table({50}, "uint32"), {rtol = 0, atol = 0})
tl.testing.assert_close(O2, tl.from_table({{{15, 4294967286}, {4294967278, 15}}, {{15, 4294967286}, {4294967278, 15}}}, "uint32"), {rtol = 0, atol = 0})
print "right"
