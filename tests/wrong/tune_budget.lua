local f = tl.jit(function(A, BM)
  A: T.Tensor({64}, T.float32)
  for bx in T.Kernel(1) do T.fill(A, BM) end
end)
f:compile {BM = 64}:tune {budget = "soon"}
