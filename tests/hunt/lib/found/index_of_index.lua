-- An atomic's index that is read from a tensor, outside of it.
local function kernel(target)
  return tl.jit(function(X2, X5, R1)
    X2: T.Tensor({40}, "bool")
    X5: T.Tensor({2, 8, 10}, "int32")
    R1: T.Tensor({16}, "uint32")
    local O3 = T.empty({2, 2, 3, 8}, "bool")
    for bx, by, bz in T.Kernel(3, 2, 2, {threads = 32}) do
      local f2 = T.alloc_fragment({8}, "bool")
      local f3 = T.alloc_fragment({8}, "bool")
      T.copy(X2[1], f2)
      T.copy(f2, f3)
      T.copy(f3, O3[bz, by, bx, 0])
    end
    for bx2, by2 in T.Kernel(3, 2, {threads = 128}) do
      local s1 = T.alloc_shared({4}, "int32")
      local s2 = T.alloc_shared({1}, "int32")
      T.copy(X5[(bx2 % 2), bx2, (by2 * 4)], s1)
      T.reduce_min(s1, s2, 0)
      for i7 in T.Parallel(11) do
        T.atomic_max(R1[T.min(T.max(T.if_then_else(O3[(i7 + 2), (i7 + 1), 1, 1], s1[(i7 % 4)], s2[0]), 0), 15)], T.cast((not ((i7 % 2) < 1)), "uint32"))
      end
    end
    return O3
  end, {target = target})
end
local X2 = tl.from_table({false, true, false, false, true, false, true, false, true, false, false, true, false, true, true, true, true, true, false, true, true, true, true, false, true, false, true, false, true, false, false, false, false, true, false, false, true, false, false, false}, "bool")
local X5 = tl.from_table({{{40, 1, 26, 38, 1677850580, 9, 26, -10, -9, -14}, {22, 30, 10, 2, 610546753, 2037829830, 12, -1, 29, -10}, {18, -20, 14, 3, -33405685, 30, -894618566, 22, 35, 1037115401}, {-17, -1, -9, 23, 35, 16, 16, 883906922, 34, 7}, {-10, -15, 593883076, 567119213, 7, -14, 7, -567671558, -1566582650, 4}, {-17, 29, 22, -535136497, -18, -6, 20, 19, 18, 23}, {28, 27, 1, -8, -571666893, -4, 26, -3, 36, -11}, {9, -10, 734302306, -21378652, 9, 1, 24, 1979306205, 36, 9}}, {{-14, -1, -15, -16, 34, -18, 28, 5, 441258789, -9}, {-12, 27, 26, 4, 2, 21, 33, 31, 9, 35}, {-5, -17, 27, 27, -3, 36, 16, 19, 25, -238614338}, {29, 31, -5, -17, 39, 18, -2, 255028093, 1, 39}, {30, 1476265687, -12, -1217099834, 33, 12, 6, 10, -10, 34}, {-17, 22, -3, 669116426, -11, 11, -8, 12, -2030644052, -5}, {13, 1700875637, 34, 1264085725, -1274476047, 14, -8, 17, 281068016, 10}, {21, 11, 31, -6, -308145340, 17, 23, 4, 7, -7}}}, "int32")
local R1 = tl.from_table({30, 13, 4098073697, 1944187474, 27, 19, 7, 27, 2443504547, 33, 1654673249, 7, 20, 1067618329, 1587304944, 7}, "uint32")
local O3 = kernel()(X2, X5, R1)
tl.testing.assert_close(R1, tl.from_table({30, 13, 4098073697, 1944187474, 27, 19, 7, 27, 2443504547, 33, 1654673249, 7, 20, 1067618329, 1587304944, 7}, "uint32"), {rtol = 0, atol = 0})
print "right"
