-- A tile that a loop without rounds would read before it is written was an error.
local function kernel(target)
  return tl.jit(function(X2)
    X2: T.Tensor({29}, "bfloat16")
    for bx, by, bz in T.Kernel(1, 1, 1, {threads = 32}) do
      local tx = T.get_thread_binding()
      local s3 = T.alloc_shared({2, 16, 8}, "bool")
      for ko1 in T.serial(bz) do
        if T.all_of(s3) then
        end
        for i3, i4 in T.Parallel(32, 8) do
          s3[(i3 // 16), (i3 % 16), i4] = (X2[1]:astype("uint16") >= 1)
        end
      end
    end
  end, {target = target})
end
local X2 = tl.from_table({-5, -27, 30, 19, 30, -26, 0, 26, -23, 29, -4, 29, 19, -23, 8, 21, 24, 32, 8, 24, 2, -8, -2, 24, 19, -15, 23, -1, -15}, "bfloat16")
kernel()(X2)
print "right"
