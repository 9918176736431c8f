tl.set_target "sim -arch=sm_90a"
local k = tl.jit(function(A)
  A: T.Tensor({64, 64}, T.float32)
  local B = T.empty({64}, T.float32)
  for _ in T.Kernel(1, {threads = 128}) do
    local s = T.alloc_shared({2, 64, 64}, T.float32)
    local full = T.alloc_barrier {1, 1}
    if T.get_thread_binding() == 0 then
      T.tma_copy(A, s[0, :, :], {barrier = full[0]})
      T.mbarrier_arrive(full[0])
      T.tma_copy(A, s[1, :, :], {barrier = full[1]})
      T.mbarrier_arrive(full[1])
    end
    T.mbarrier_wait_parity(full[1], 0)
    for i in T.Parallel(64) do
      B[i] = s[1, i, 0]
    end
  end
  return B
end)
k(tl.zeros({64, 64}, "float32"))
