-- A number at the front of what is converted was read as one of that type.
local function kernel(target)
  local m3 = T.macro(function(f3, s2, bx, X1, f1, X2)
  end)
  local m2 = T.macro(function(bx, by, X3, s1, f2, X2, X1, f1, R1)
    for ko1 in T.Pipelined((bx + 1), {num_stages = 2}) do
      if (not (by == 1)) then
        T.copy(X3[(bx * 4):(bx * 4) + 4, (ko1 * 2):(ko1 * 2) + 2], s1)
      end
      for i1 in T.Parallel(2) do
        f2[i1] = (((f2[i1] + X3[ko1, i1]) * X2[((i1 - 2) % 4), (((i1 * 5) + 7) % 12)]) * T.max((f2[i1] // 4), X2[1, i1]))
      end
      if ((s1[(((ko1 * 3) + 3) % 4), by] <= s1[by, (((by * 4) + 2) % 2)]) and (X1[ko1] >= 31)) then
        for i2, i3 in T.Parallel(4, 2) do
          f1[i2, i3] = T.truncdiv((T.truncmod(X3[(i2 // 8), i2], 16) - T.truncmod(X3[i3, (((i3 * 4) + 5) % 11)], 7)), ((X3[i2, (10 - i2)] & 7) + 3))
          if (bx <= 15) then
            f1[i2, i3] = X2[i3, ((i3 + (i3 * 8)) + 1)]
          end
        end
      else
      end
      for i6 in T.Parallel(39) do
      end
    end
  end)
  local m1 = T.macro(function(f1, f2)
    T.reduce_bitand(f1, f2, 0)
  end)
  return tl.jit(function(X1, X2, X3, R1)
    X1: T.Tensor({8}, "int32")
    X2: T.Tensor({4, 12}, "uint8")
    X3: T.Tensor({4, 11}, "uint8")
    R1: T.Tensor({4}, "int32")
    local O3 = T.empty({2, 3, 2}, "uint8")
    for bx, by in T.Kernel(3, 2, {threads = 32}) do
      local f1 = T.alloc_fragment({4, 2}, "uint8")
      local s1 = T.alloc_shared({4, 2}, "int16")
      local f2 = T.alloc_fragment({2}, "uint8")
      local f3 = T.alloc_fragment({4, 4}, "int32")
      local s2 = T.alloc_shared({4, 4}, "int32")
      T.copy(X3[(by * 4), (by * 2)], f1)
      T.copy(X2[(by * 4), ((bx * 2) + 2)], s1)
      m1(f1, f2)
      m2(bx, by, X3, s1, f2, X2, X1, f1, R1)
      for k1 in T.unroll(3) do
        for i7 in T.Parallel(8) do
          f1[(i7 // 2), (i7 % 2)] = T.cast((T.min(by, -16) // ((X1[(i7 + (i7 * 8))] & 7) + 2)), "uint8")
        end
      end
      T.copy(X2[by, (by * 2)], f2)
      local v1 = T.alloc_var("float32", 1.0)
      for i8, i9 in T.Parallel(4, 4) do
        f3[i8, i9] = X1[i8]
      end
      T.cummax(f3, s2, {dim = 0})
      m3(f3, s2, bx, X1, f1, X2)
      for i12 in T.Parallel(2) do
      end
      local v2 = T.alloc_var("int32", 2)
      for i13, i14 in T.Parallel(4, 4) do
      end
      for i15 in T.Parallel(2) do
      end
      T.copy(f2, O3[by, bx, 0])
      for i16, i17 in T.Parallel(4, 4) do
      end
      for q in T.Parallel(4) do
      end
    end
    return O3
  end, {target = target})
end
local X1 = tl.from_table({15, -14, -10, -1, -2, -4, 29, 34}, "int32")
local X2 = tl.from_table({{33, 34, 11, 12, 134, 0, 253, 31, 25, 13, 38, 25}, {27, 1, 32, 17, 24, 5, 172, 36, 37, 27, 23, 3}, {18, 199, 31, 12, 39, 163, 7, 8, 249, 34, 36, 28}, {19, 14, 8, 5, 21, 218, 35, 36, 31, 0, 22, 39}}, "uint8")
local X3 = tl.from_table({{8, 33, 75, 28, 28, 139, 24, 226, 34, 31, 32}, {14, 1, 35, 7, 32, 38, 29, 9, 27, 2, 9}, {6, 21, 4, 7, 12, 18, 36, 8, 27, 37, 34}, {187, 39, 5, 40, 12, 8, 32, 13, 11, 19, 10}}, "uint8")
local R1 = tl.from_table({-3, 9, 24, -7}, "int32")
local O3 = kernel()(X1, X2, X3, R1)
tl.testing.assert_close(R1, tl.from_table({-3, 9, 24, -7}, "int32"), {rtol = 0, atol = 0})
tl.testing.assert_close(O3, tl.from_table({{{33, 34}, {33, 34}, {33, 34}}, {{32, 17}, {32, 17}, {32, 17}}}, "uint8"), {rtol = 0, atol = 0})
print "right"
