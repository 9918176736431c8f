-- Two sums behind each other walk along a long row together: each has a name of its own in the C text.
local k = tl.jit(function(X, S, Q)
  X: T.Tensor({4096}, "float32")
  S: T.Tensor({1}, "float32")
  Q: T.Tensor({1}, "float32")
  for _ in T.Kernel(1, {threads = 128}) do
    local x = T.alloc_fragment({1, 4096}, "float32")
    local xx = T.alloc_fragment({1, 4096}, "float32")
    local s = T.alloc_fragment({1}, "float32")
    local q = T.alloc_fragment({1}, "float32")
    for i, j in T.Parallel(1, 4096) do x[i, j] = X[j] end
    for i, j in T.Parallel(1, 4096) do xx[i, j] = x[i, j] * x[i, j] end
    T.reduce_sum(x, s, 1)
    T.reduce_sum(xx, q, 1)
    T.copy(s, S)
    T.copy(q, Q)
  end
end)
local S, Q = tl.zeros {1}, tl.zeros {1}
k(tl.full({4096}, 2.0), S, Q)
print(S[0], Q[0])
