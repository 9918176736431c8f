-- A kernel may have as many tiles as memory holds.
local k = tl.jit(function(A, B)
  A: T.Tensor({4096}, "float32")
  B: T.Tensor({4096}, "float32")
  for bx in T.Kernel(8, {threads = 128}) do
    for r = 1, 4200 do
      local F = T.alloc_fragment({128}, "float32")
      T.copy(A[bx * 128], F)
      T.copy(F, B[bx * 128])
    end
  end
end, {target = "sim -arch=sm_80"})
print(#k:get_kernel_source({}) > 4200 and "compiled")
