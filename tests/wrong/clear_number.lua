local f = tl.jit(function(A)
  A: T.Tensor({128}, T.float32)
  for bx in T.Kernel(1) do
    local n = 128
    T.clear(n)
  end
end)
f(tl.zeros({128}))
