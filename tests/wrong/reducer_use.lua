local f = tl.jit(function(A, S)
  A: T.Tensor({64, 8}, T.float32)
  S: T.Tensor({64}, T.float32)
  for bx in T.Kernel(1, {threads = 64}) do
    local r = T.alloc_reducer({64}, T.float32, {replication = "all"})
    T.clear(r)
    for i, j in T.Parallel(64, 8) do r[i] += A[i, j] end
    T.copy(r, S)
  end
end)
f(tl.zeros({64, 8}), tl.zeros({64}))
