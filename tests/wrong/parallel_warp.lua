local f = tl.jit(function(X)
  X: T.Tensor({64, 64}, T.float32)
  local C = T.empty({64, 64}, T.float32)
  for _ in T.Kernel(1, {threads = 32}) do
    local s = T.alloc_shared({64, 64}, T.float32)
    T.fill(s, 0)
    for i, j in T.Parallel(64, 64) do
      s[i, j] = T.warp_reduce_sum(X[i, j])
    end
    T.copy(s, C)
  end
  return C
end)
f:compile()
