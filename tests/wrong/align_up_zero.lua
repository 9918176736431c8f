local f = tl.jit(function()
  local B = T.empty({T.align_up(4, 0)}, T.float32)
  for _ in T.Kernel(1) do
    T.clear(B)
  end
  return B
end)
f:compile()
