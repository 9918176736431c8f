local f = tl.jit(function(A)
  A: T.Tensor({128}, T.int32)
  for bx in T.Kernel(1) do
    A[1] = T.atomic_load(A[0], "release")
  end
end)
f(tl.zeros({128}, "int32"))
