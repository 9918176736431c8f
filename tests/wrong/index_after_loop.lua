local f = tl.jit(function(A)
  A: T.Tensor({1024}, T.int32)
  for bx in T.Kernel(8) do
    local last = {}
    for i in T.serial(4) do
      last[1] = i
    end
    A[bx] = last[1]
  end
end)
f(tl.zeros({1024}, "int32"))
