local f = tl.jit(function(X)
  X: T.Tensor({64, 64}, "float32")
  local C = T.empty({64, 64}, "float32")
  for bx in T.Kernel(1) do
    local s = T.alloc_shared({64, 64}, "float32")
    T.copy(X, s)
    T.copy(s[0:32, :], s[16:48, :])
    T.copy(s, C)
  end
  return C
end, {target = "sim"})
f:compile()
