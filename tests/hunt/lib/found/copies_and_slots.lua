-- A loop that picks a slot of a fragment was not taken apart where threads with copies read what it updates.
local function kernel(target)
  return tl.jit(function(X1, X2, R1)
    X1: T.Tensor({8, 30}, "int32")
    X2: T.Tensor({8, 8}, "uint8")
    R1: T.Tensor({4}, "int32")
    local O1 = T.empty({1, 2, 1}, "int16")
    local O3 = T.empty({1, 2, 16}, "int16")
    for bx, by in T.Kernel(2, 1, {threads = 64}) do
      local f1 = T.alloc_fragment({8, 16}, "int16")
      local f2 = T.alloc_fragment({16}, "int16")
      local s1 = T.alloc_shared({16}, "int16")
      local f4 = T.alloc_fragment({2, 8, 16}, "int16")
      local s3 = T.alloc_shared({1}, "int16")
      T.copy(X2[by, 0], f1)
      for k1 in T.serial(5) do
        for i1, i2 in T.Parallel(8, 16) do
          f1[i1, i2] = (f1[i1, i2] * f1[i1, i2])
        end
      end
      T.cumsum(f1, {dim = 1})
      for k2 in T.serial(0, 2, 2) do
        for i3, i4 in T.Parallel(8, 16) do
          f1[i3, i4] = T.truncmod(f1[i3, i4], 3)
        end
        T.reduce_bitand(f1, f2, 0)
        for i5 in T.Parallel(16) do
          if (i5 == 9) then
            T.atomic_add(R1[((i5 * 3) % 4)], X1[i5, i5])
          end
        end
      end
      T.cummax(f2, s1, {dim = 0, reverse = true})
      for i6 in T.Parallel(16) do
        if (f2[i6] > s1[i6]) then
          s1[i6] = T.if_then_else((f2[i6] <= -1), f2[i6], s1[i6])
        elseif (not (i6 > 15)) then
          s1[i6] = f1[bx, i6]
        end
        s1[i6] = (((-s1[i6]) - (s1[i6] << 6)) << (s1[i6] & 7))
        f2[i6] = (-(f2[i6] + T.truncdiv(s1[i6], 16)))
      end
      for i7 in T.Parallel(16) do
        for q1 in T.serial(1) do
        end
      end
      for i8, i9 in T.Parallel(8, 16) do
      end
      for i10 in T.Parallel(16) do
      end
      T.fill(f4, 9)
      for k3 in T.unroll(2) do
      end
      for k4 in T.serial((by + 1)) do
      end
      for ko1 in T.Pipelined(2, {num_stages = 2}) do
        T.reduce_sum(s1, s3, 0)
      end
      T.copy(s3, O1[by, bx, 0])
      for i12, i13, i14 in T.Parallel(2, 8, 16) do
      end
      T.copy(s1, O3[by, bx, 0])
      for i15, i16 in T.Parallel(8, 16) do
      end
    end
    return O1, O3
  end, {target = target})
end
local X1 = tl.from_table({{21, 3, -2, 31, -5, -9, 0, -7, 19, 1, -14, -2, -9, 14, 25, 24, -8, 7, 9, 26, -9, 2, 26, -2, -8, 5, 16, -17, -15, 29}, {26, 8, 30, 5, 13, 30, 28, 28, -6, 34, 15, 20, -11, 20, 10, -7, 34, -14, 34, -3, -2, 19, -16, -4, 31, 28, -18, 31, 1, 26}, {28, -18, 10, -19, -2, 3, 38, 36, 9, 7, 16, -4, 31, 34, 4, 1, 26, 16, 14, 18, -2, -16, 34, 3, 3, 12, -14, 10, -20, 26}, {-17, -19, 31, -14, -4, 32, 28, 6, 30, 12, -2, -5, -16, 23, 11, 28, 2, -8, 32, 18, 29, -20, 29, 40, 16, 24, 36, -12, 33, 24}, {34, 7, -19, -12, 39, -9, 6, -2, 33, 16, 17, -19, 35, 3, 30, 12, -6, -16, -14, 17, 3, 17, 2, 11, 5, 31, -8, 1, 27, 0}, {12, 3, 14, 21, -7, 10, -15, 35, -11, 16, 10, 35, -8, 17, -17, 37, 38, 38, 33, -12, 2, 33, 29, -5, -7, 11, -11, 33, 3, 4}, {-6, -13, 32, 28, 15, 8, -5, -19, 36, 26, 9, -1, 28, 16, 5, -6, 3, 34, 7, 20, 37, -5, 37, 8, 8, 40, 15, -3, 23, -6}, {29, -12, -8, 28, 22, 2, 38, 28, 33, -20, -8, 24, 0, 10, 33, -5, 29, -1, -12, 34, 1, 39, 7, 12, 11, -18, 30, -12, -17, 40}}, "int32")
local X2 = tl.from_table({{33, 30, 3, 16, 2, 12, 25, 9}, {2, 28, 31, 6, 17, 24, 10, 40}, {21, 33, 1, 12, 32, 33, 40, 11}, {9, 34, 29, 2, 1, 8, 16, 16}, {6, 18, 0, 1, 12, 15, 29, 7}, {4, 0, 0, 10, 8, 15, 4, 40}, {40, 4, 19, 21, 16, 22, 19, 20}, {35, 4, 26, 27, 38, 23, 11, 14}}, "uint8")
local R1 = tl.from_table({-19, 21, -2, 17}, "int32")
local O1, O3 = kernel()(X1, X2, R1)
tl.testing.assert_close(R1, tl.from_table({-19, 21, -2, 17}, "int32"), {rtol = 0, atol = 0})
tl.testing.assert_close(O1, tl.from_table({{{25464}, {-14592}}}, "int16"), {rtol = 0, atol = 0})
tl.testing.assert_close(O3, tl.from_table({{{8320, 8320, 0, 0, 0, 0, -520, 8320, 8320, 8320, 8320, 8320, 8320, 8320, 8320, 8320}, {0, 0, 8320, 8320, 8320, 8320, 8320, 8320, 8320, 8320, 8320, 8320, 8320, 8320, 8320, 8320}}}, "int16"), {rtol = 0, atol = 0})
print "right"
