local f = tl.jit(function(A)
  A: T.Tensor({1024}, T.int32)
  for bx in T.Kernel(8) do
    local n = T.alloc_var(T.int32, 0)
    repeat
      n = n + 1
    until n > bx
    A[bx] = n
  end
end)
f(tl.zeros({1024}, "int32"))
