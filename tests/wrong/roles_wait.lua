-- The producer waits for a phase that completes only behind its own.
tl.jit(function(A)
  A: T.Tensor({8 * 128}, T.float32)
  local C = T.empty({8 * 128}, T.float32)
  for _ in T.Kernel(1, {threads = 256}) do
    local s = T.alloc_shared({2, 128}, T.float32)
    local full, empty = T.alloc_barrier {128, 128}, T.alloc_barrier {128, 128}
    for t in T.ws(0) do
      for i in T.serial(8) do
        T.mbarrier_wait_parity(full[i % 2], i // 2 % 2)
        C[i * 128 + t] = s[i % 2, 127 - t] * 2
        T.mbarrier_arrive(empty[i % 2])
      end
    end
    for t in T.ws(1) do
      for i in T.serial(8) do
        T.mbarrier_wait_parity(empty[i % 2], i // 2 % 2)
        s[i % 2, t] = A[i * 128 + t]
        T.mbarrier_arrive(full[i % 2])
      end
    end
  end
  return C
end, {target = "sim -arch=sm_90a"}):compile(tl.empty({8 * 128}, "float32"))
