local f = tl.jit(function(A, opts)
  A: T.Tensor({64}, T.float32)
  for bx in T.Kernel(64) do
    if opts.relu and bx > 3 then
      A[bx] = 1
    end
  end
end)
f(tl.zeros({64}))
