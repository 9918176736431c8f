-- T.tma_copy of rows of 576: as boxes of a piece that they are a multiple of.
local F = "float16"
local k = tl.jit(function(A, B)
  A: T.Tensor({64, 576}, F)
  B: T.Tensor({64, 576}, F)
  for _ in T.Kernel(1, {threads = 128}) do
    local s = T.alloc_shared({64, 576}, F)
    local bar = T.alloc_barrier(1)
    if T.get_thread_binding() == 0 then
      T.tma_copy(A, s, {barrier = bar})
      T.mbarrier_arrive(bar)
    end
    T.mbarrier_wait_parity(bar, 0)
    T.copy(s, B)
  end
end, {target = "sim -arch=sm_90a"})
tl.manual_seed(2)
local a, b = tl.randn({64, 576}, F), tl.zeros({64, 576}, F)
k(a, b)
print(tl.equal(a, b) and "right" or "WRONG")
