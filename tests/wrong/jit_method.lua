local f = tl.jit(function(A)
  A: T.Tensor({64}, T.float32)
  for bx in T.Kernel(1) do
    T.clear(A)
  end
end)
f:get_source()
