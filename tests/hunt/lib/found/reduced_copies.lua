-- A layout of two warps in a block of four: a reduction's exchange had no room for the copies.
local function kernel(target)
  return tl.jit(function(X1, X2)
    X1: T.Tensor({16}, "int8")
    X2: T.Tensor({16}, "int8")
    for bx, by, bz in T.Kernel(1, 1, 1, {threads = 128}) do
      local tx = T.get_thread_binding()
      local f1 = T.alloc_fragment({16}, "int8")
      local s1 = T.alloc_shared({16, 8}, "int8")
      local s2 = T.alloc_shared({2, 16, 16}, "int8")
      local f3 = T.alloc_fragment({1}, "int8")
      T.copy(X2[1:17], f1)
      if tx >= 64 then
        for i1, i2 in T.Parallel(16, 8) do
          s1[i1, i2] = (X2[1] >> (X2[1] & 7))
          s1[i1, i2] = f1[by]
        end
      end
      for i3, i4, i5 in T.Parallel(2, 16, 16) do
        s2[i3, i4, i5] = T.truncmod(X1[1], f1[i3])
      end
      for i8 in T.Parallel(16) do
        if (by == 1) then
        elseif (X2[1] < 1) then
          f1[i8] = (X2[3] * X1[1])
        end
        if (X1[1] > 1) then
        elseif (X1[1] ~= 1) then
        end
      end
      T.reduce_bitand(f1, f3, 0)
    end
  end, {target = target})
end
local X1 = tl.from_table({7, 27, 33, -17, 16, -19, 10, 40, 14, 77, -83, -4, 22, 8, 4, 24}, "int8")
local X2 = tl.from_table({36, 31, 11, 26, 27, 26, 10, 28, 13, 14, 39, 8, 29, 1, 15, 14}, "int8")
kernel()(X1, X2)
print "right"
