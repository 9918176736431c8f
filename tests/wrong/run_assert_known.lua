local f = tl.jit(function(A, BM)
  A: T.Tensor({64}, T.float32)
  assert(BM % 16 == 0, "BM must be a multiple of 16")
  for bx in T.Kernel(64 // BM) do
    T.clear(A[bx * BM : (bx + 1) * BM])
  end
end)
f(tl.zeros({64}), 24)
