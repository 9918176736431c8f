local f = tl.jit(function(A)
  A: T.Tensor({1024}, T.int32)
  for bx in T.Kernel(8) do
    for i = 1, 4 do
      if A[i] > bx then break end
      A[bx] = i
    end
  end
end)
f(tl.zeros({1024}, "int32"))
