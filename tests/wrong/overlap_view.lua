local f = tl.jit(function(X)
  X: T.Tensor({64, 64}, "float32")
  local C = T.empty({64, 64}, "float32")
  for bx in T.Kernel(1) do
    local s = T.alloc_shared({64, 64}, "float32")
    local r = T.reshape(s, {4096})
    T.copy(X, s)
    T.reduce_sum(s, r[0:64], 1)
    T.copy(s, C)
  end
  return C
end, {target = "sim"})
f:compile()
