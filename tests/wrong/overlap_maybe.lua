local f = tl.jit(function(X, n)
  X: T.Tensor({64, 64}, "float32")
  n: T.int32
  local C = T.empty({64, 64}, "float32")
  for bx in T.Kernel(1) do
    local s = T.alloc_shared({64, 64}, "float32")
    T.copy(X, s)
    T.copy(s[n : n + 16, :], s[0:16, :])
    T.copy(s, C)
  end
  return C
end, {target = "sim"})
f:compile()
error "only warned"
