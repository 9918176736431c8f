-- No barrier: a read under a condition of the vector loop's variable was looked at for its first value only.
local function kernel(target)
  return tl.jit(function(X2)
    X2: T.Tensor({16, 8}, "float32")
    for bx, by in T.Kernel(1, 2, {threads = 32}) do
      local f1 = T.alloc_fragment({8, 8}, "float32")
      local s5 = T.alloc_shared({32, 32}, "int8")
      local s6 = T.alloc_shared({32, 16}, "int8")
      T.copy(X2[0:8, :], f1)
      for i5, i6 in T.Parallel(32, 32) do
        s5[i5, i6] = 1
      end
      for i7, i8 in T.Parallel(32, 16) do
        s6[i7, i8] = T.if_then_else((i8 > 11), s5[1, 22], 3)
      end
    end
  end, {target = target})
end
local X2 = tl.from_table({{-1, -3, 0, 1, -4, -1, -3, -1}, {3, 2, 1, 3, -3, -1, -3, -1}, {3, 1, -3, 2, 0, 2, 1, 3}, {-4, 4, 3, 3, 3, 3, 4, 2}, {2, 0, -1, -4, 4, -3, 2, -1}, {-2, 3, 1, 0, -4, -2, -2, 2}, {1, 4, -3, 1, 2, 2, -4, 2}, {-1, 1, 4, -3, -1, -1, -3, 0}, {0, -4, -1, -2, -4, -1, 4, -3}, {-1, -4, -1, 2, 0, 1, 4, 3}, {1, 1, -3, 2, 2, -1, -3, 2}, {1, 4, 2, 1, -1, 0, 2, -3}, {0, 0, 1, -4, -3, 3, 3, 3}, {3, -1, 3, -3, -4, 1, 4, -1}, {-3, -4, 2, -1, -2, -3, 1, 0}, {-4, 2, -3, -2, -3, -3, -1, 2}}, "float32")
kernel()(X2)
print "right"
