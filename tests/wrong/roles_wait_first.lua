-- A consumer that says `empty` before it has waited for `full`: where it comes first, the producer
-- takes that phase for the next one and waits for ever.
tl.set_target "sim -arch=sm_90a"
tl.jit(function()
  local O = T.empty({3, 128}, T.int32)
  for _ in T.Kernel(1, {threads = 256}) do
    local s = T.alloc_shared({4, 128}, T.int32)
    local full, empty = T.alloc_barrier({128, 128, 128, 128}), T.alloc_barrier({128, 128, 128, 128})
    for t in T.ws(0) do
      for k in T.serial(3) do
        T.mbarrier_wait_parity(empty[k % 4], (k // 4 + 1) % 2)
        s[k % 4, t] = t + k
        T.mbarrier_arrive(full[k % 4])
      end
    end
    for t in T.ws(1) do
      for k in T.serial(3) do
        T.mbarrier_arrive(empty[k % 4])
        T.mbarrier_wait_parity(full[k % 4], k // 4 % 2)
        O[k, t] = s[k % 4, t]
      end
    end
  end
  return O
end):compile()
