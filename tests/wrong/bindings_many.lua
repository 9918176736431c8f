local f = tl.jit(function(A)
  A: T.Tensor({16}, T.float32)
  for bx, by in T.Kernel(4, 4) do
    local x, y, z = T.get_block_bindings()
    A[x * 4 + y + z] = 1
  end
end)
f(tl.zeros({16}))
