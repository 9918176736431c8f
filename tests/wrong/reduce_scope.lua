local f = tl.jit(function(A)
  A: T.Tensor({8, 128}, T.float32)
  local C = T.empty({8}, T.float32)
  for bx in T.Kernel(1) do
    T.reduce_max(A, C, 1)
  end
  return C
end)
f(tl.zeros({8, 128}))
