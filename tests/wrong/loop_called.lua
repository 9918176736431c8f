local f = tl.jit(function()
  local B = T.empty({4}, T.float32)
  for i in T.Kernel(1)({2}, T.float32) do
    B[i] = 1
  end
  return B
end)
f:compile()
