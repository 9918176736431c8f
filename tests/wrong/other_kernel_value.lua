local kept
local f = tl.jit(function(A)
  A: T.Tensor({1024}, T.int32)
  for bx in T.Kernel(8) do
    kept = kept or bx
    A[bx] = 1
  end
end)
f(tl.zeros({1024}, "int32"))
local g = tl.jit(function(A)
  A: T.Tensor({1024}, T.int32)
  for by in T.Kernel(8) do
    A[by] = kept
  end
end)
g(tl.zeros({1024}, "int32"))
