-- The text of IR had `--`, which begins a comment.
local function kernel(target)
  return tl.jit(function(X1)
    X1: T.Tensor({2, 1, 4}, "bfloat16")
    for bx, by in T.Kernel(1, 1, {threads = 64}) do
      local s1 = T.alloc_shared({4, 2}, "int32")
      local s2 = T.alloc_shared({2, 4}, "int32")
      local s5 = T.alloc_shared({2}, "int32")
      T.copy(X1[by, by, bx], s1)
      T.transpose(s1, s2)
      for i5 in T.Parallel(2) do
        s5[i5] = (-((s2[1, 1] - 1) * (-s2[1, 1])))
      end
    end
  end, {target = target})
end
local X1 = tl.from_table({{{-7, -19, 5, 18}}, {{-11, -30, -4, -6}}}, "bfloat16")
kernel()(X1)
print "right"
