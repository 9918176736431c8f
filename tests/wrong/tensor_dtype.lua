local f = tl.jit(function(A)
  A: T.Tensor({1024}, torch.float16)
  for bx in T.Kernel(1) do
    T.clear(A)
  end
end)
f(tl.zeros({1024}))
