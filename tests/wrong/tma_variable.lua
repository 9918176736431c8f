-- a coordinate of which each thread has its own
local k = tl.jit(function(A, J)
  A: T.Tensor({4, 64, 64}, "float16")
  J: T.Tensor({4}, "int32")
  local B = T.empty({64, 64}, "float16")
  for bx in T.Kernel(1, {threads = 128}) do
    local s = T.alloc_shared({64, 64}, "float16")
    local bar = T.alloc_barrier(1)
    local row = T.alloc_var("int32")
    local tx = T.get_thread_binding()
    row = J[0]
    if tx < 32 then
      T.mbarrier_expect_tx(bar, 8192)
      T.tma_copy(A[0, 0, row + tx], s, {barrier = bar})
    end
    T.mbarrier_arrive(bar)
    T.mbarrier_wait_parity(bar, 0)
    T.copy(s, B)
  end
  return B
end, {target = "sim -arch=sm_90a"})
k:compile{}
