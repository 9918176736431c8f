local f = tl.jit(function(A)
  A: T.Tensor({N}, T.float32)
  local B = T.empty({N}, T.float32)
  for bx in T.Kernel(1) do
    T.copy(A, B)
  end
  return B
end)
f(tl.zeros {8})
