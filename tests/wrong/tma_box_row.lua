tl.set_target "sim -arch=sm_90a"
local k = tl.jit(function(A, I)
  A: T.Tensor({64, 64}, T.float32)
  I: T.Tensor({1}, T.int32)
  local B = T.empty({8}, T.float32)
  for _ in T.Kernel(1, {threads = 128}) do
    local s = T.alloc_shared({4, 8}, T.float32)
    local full = T.alloc_barrier(1)
    if T.get_thread_binding() == 0 then
      T.tma_copy(A[0, I[0]], s, {barrier = full})
      T.mbarrier_arrive(full)
    end
    T.mbarrier_wait_parity(full, 0)
    for i in T.Parallel(8) do
      B[i] = s[1, i]
    end
  end
  return B
end)
k(tl.zeros({64, 64}, "float32"), tl.full({1}, 3, "int32"))
