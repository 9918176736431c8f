-- gcc 12.2: several sums in one loop, of which what follows reads some alone.
local function kernel(target)
  return tl.jit(function()
    local O1 = T.empty({3, 16}, "int32")
    for bx in T.Kernel(3, {threads = 128}) do
      local s1 = T.alloc_shared({4, 8}, "int32")
      local f1 = T.alloc_fragment({8, 8}, "int32")
      local s2 = T.alloc_shared({1, 8}, "int32")
      local s3 = T.alloc_shared({16}, "int32")
      for i2, i1 in T.Parallel(8, 4) do
        s1[(3 - i1), i2] = (T.truncmod(T.min(i2, 0), ((bx & 7) + 2)) + (-i2))
      end
      for i3, i4 in T.Parallel(8, 8) do
        f1[((i3 + 8) % 8), i4] = (((s1[T.min(i3, 3), (((i3 * 2) + i3) % 8)] & -127) ~ T.min(s1[(((i3 * 8) + bx) % 4), bx], bx)) // 33)
      end
      T.reduce_sum(f1, s2, 0)
      T.fill(s3, 4)
      for i10, i11 in T.Parallel(4, 8) do
        T.atomic_add(s3[(15 - bx)], T.Select((i11 >= 0), (i11 * s2[0, i10]), (s1[(((bx * 2) + i10) % 4), T.max((i10 - 1), 0)] & 16)))
      end
      T.copy(s3, O1[bx, 0])
    end
    return O1
  end, {target = target})
end
local O1 = kernel()()
tl.testing.assert_close(O1, tl.from_table({{4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, -3132}, {4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 2244, 4}, {4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 2244, 4, 4}}, "int32"), {rtol = 0, atol = 0})
print "right"
