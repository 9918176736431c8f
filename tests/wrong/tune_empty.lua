local f = tl.autotune(tl.jit(function(A, BM)
  A: T.Tensor({64}, T.float32)
  for bx in T.Kernel(1) do
    T.clear(A)
  end
end), {configs = {}})
f(tl.zeros({64}))
