-- ~(-(a * b)) was written ~-a*b in the text that workers read.
local function kernel(target)
  return tl.jit(function(X1)
    X1: T.Tensor({15}, "int64")
    local O3 = T.empty({2, 8}, "int64")
    for bx in T.Kernel(2, {threads = 32}) do
      local tx = T.get_thread_binding()
      local s5 = T.alloc_shared({16}, "int64")
      local f4 = T.alloc_fragment({8}, "int64")
      T.sync_threads()
      T.sync_threads()
      if (tx < 16) then
        s5[tx] = X1[1]
      end
      T.sync_threads()
      T.sync_threads()
      for i7 in T.Parallel(8) do
        f4[i7] = (~(-(s5[1] * X1[1])))
      end
      for i11 in T.Parallel(8) do
        O3[bx, i11] = f4[1]
      end
    end
    return O3
  end, {target = target})
end
local X1 = tl.from_table({30, 15, 6, 27, -11, 22, -2, 26, 4, 10, 28, 4, -4, 9, 29}, "int64")
local O3 = kernel()(X1)
tl.testing.assert_close(O3, tl.from_table({{224, 224, 224, 224, 224, 224, 224, 224}, {224, 224, 224, 224, 224, 224, 224, 224}}, "int64"), {rtol = 0, atol = 0})
print "right"
