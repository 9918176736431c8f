-- No barrier, as in vector_condition.lua, for a fragment that is staged in shared memory.
local function kernel(target)
  return tl.jit(function(X2)
    X2: T.Tensor({1, 29}, "float32")
    for bx, by, bz in T.Kernel(1, 1, 2, {threads = 128}) do
      local tx = T.get_thread_binding()
      local f1 = T.alloc_fragment({16, 4}, "float32")
      local s1 = T.alloc_shared({16, 16}, "bfloat16")
      T.copy(X2[1, 4], f1)
      for i1, i2 in T.Parallel(16, 16) do
        s1[i1, i2] = T.Select((i2 == 2), f1[i1, (i1 % 4)], -7.0)
      end
    end
  end, {target = target})
end
local X2 = tl.from_table({{4, 1, -2, 0, 1, 2, -3, -3, -4, -2, -4, 0, -1, 3, 1, -1, -1, 4, 2, 0, 1, 0, 4, -3, -4, 3, -3, -4, -1}}, "float32")
kernel()(X2)
print "right"
