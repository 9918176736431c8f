local f = tl.jit(function(A)
  A: T.Tensor({128}, "int4")
  for bx in T.Kernel(1) do
    for i in T.Parallel(128) do
      T.atomic_or(A[i], T.cast(1, "int4"))
    end
  end
end)
f:compile()
