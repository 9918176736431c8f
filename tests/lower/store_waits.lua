-- Boxes that each warp stores for itself are not done where one thread has waited for its own.
tl.set_target "sim -arch=sm_90a"
local k = tl.jit(function(R1)
    R1: T.Tensor({16, 64}, "float32")
    local O1 = T.empty({2, 16, 16}, "float32")
    local O3 = T.empty({2, 16, 64}, "float32")
    for bx in T.Kernel(2, {threads = 128}) do
      local s2 = T.alloc_shared({16, 16}, "bfloat16")
      local s3 = T.alloc_shared({64, 16}, "bfloat16")
      local f3 = T.alloc_fragment({16, 64}, "float32")
      local s6 = T.alloc_shared({16, 16}, "float32")
      for i5, i6 in T.Parallel(16, 16) do
        s2[i5, i6] = 1.0
      end
      for i7 in T.Parallel(1024) do
        s3[(i7 // 16), (i7 % 16)] = 1.0
      end
      T.clear(f3)
      T.gemm(s2, s3, f3, {transpose_B = true})
      T.atomic_add(R1[:, :], f3)
      for i16, i17 in T.Parallel(16, 8) do
        for u2 in T.serial(2) do
          s6[i16, ((i17 * 2) + u2)] = 1.0
        end
      end
      T.copy(s6, O1[bx, 0, 0])
      for i18, i19 in T.Parallel(16, 64) do
        O3[bx, i18, i19] = f3[i18, i19]
      end
    end
    return O1, O3
end)


local R1 = tl.zeros({16, 64}, "float32")
local O1, O3 = k(R1)
for name, t in pairs {R1 = {R1, 32}, O1 = {O1, 1}, O3 = {O3, 16}} do
  tl.testing.assert_close(t[1], tl.full(t[1].shape, t[2], "float32"))
end
print "right"
