-- The sums would be ended again and again.
local f = tl.jit(function(A, S)
  A: T.Tensor({64, 8}, T.float32)
  S: T.Tensor({64}, T.float32)
  for bx in T.Kernel(1, {threads = 64}) do
    local r, d = T.alloc_reducer({64}, T.float32), T.alloc_fragment({64}, T.float32)
    T.reducer_init(r)
    for k in T.serial(4) do
      for i, j in T.Parallel(64, 8) do T.reducer_update(r[i], A[i, j]) end
      T.finalize_reducer(r, d)
    end
    T.copy(d, S)
  end
end)
f(tl.zeros({64, 8}), tl.zeros({64}))
