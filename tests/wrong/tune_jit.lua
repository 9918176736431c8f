local k = tl.compile(T.prim_func(function(A)
  A: T.Tensor({64}, T.float32)
  for bx in T.Kernel(1) do T.fill(A, 1) end
end))
k:tune {}
