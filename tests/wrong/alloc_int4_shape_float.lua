local f = tl.jit(function(A, BM)
  A: T.Tensor({1024}, T.float32)
  for bx in T.Kernel(8) do
    local tile = T.alloc_shared({BM / 2}, T.float32)
    T.copy(A[bx * 128], tile)
    T.copy(tile, A[bx * 128])
  end
end)
f(tl.zeros({1024}), 125)
