-- T.tma_copy into a tile behind one of 240 bytes: boxes begin at 128 bytes of shared memory (E735 on the card).
tl.set_target "sim -arch=sm_90a"
local k = tl.jit(function(A, B)
  A: T.Tensor({5, 12}, "float32")
  B: T.Tensor({5, 12}, "float32")
  local Y = T.empty({5, 12}, "float32")
  for bx in T.Kernel(1, {threads = 128}) do
    local s, s2 = T.alloc_shared({5, 12}, "float32"), T.alloc_shared({5, 12}, "float32")
    local bar = T.alloc_barrier(128)
    T.copy(B, s2)
    T.tma_copy(A[0:5, 0:12], s, {barrier = bar})
    T.mbarrier_arrive(bar)
    T.mbarrier_wait_parity(bar, 0)
    for i, j in T.Parallel(5, 12) do Y[i, j] = s[i, j] + s2[i, 11 - j] end
  end
  return Y
end)
print(k(tl.full({5, 12}, 1, "float32"), tl.full({5, 12}, 2, "float32")):item(4, 11))
