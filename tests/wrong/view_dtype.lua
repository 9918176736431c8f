local f = tl.jit(function(A)
  A: T.Tensor({1024}, T.float32)
  for bx in T.Kernel(1) do
    local tile = T.alloc_shared({5}, T.float16)
    T.clear(tile)
    local bits = T.view(tile, {3}, T.uint32)
    A[0] = T.float32(bits[0])
  end
end)
f(tl.zeros({1024}))
