local f = tl.autotune(tl.jit(function(A, BM)
  A: T.Tensor({64}, T.float32)
  for bx in T.Kernel(1) do
    local x = T.alloc_shared({BM}, T.float32)
    T.copy(A[0:32], x)
    T.copy(x, A[0:32])
  end
end), {configs = {{BM = 16}, {BM = 64}}})
f(tl.zeros({64}))
