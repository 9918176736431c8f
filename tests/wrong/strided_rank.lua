local f = tl.jit(function(A)
  A: T.StridedTensor({32, 32}, {1}, T.float32)
  for bx in T.Kernel(1) do
    T.clear(A)
  end
end)
f(tl.zeros({32, 32}))
