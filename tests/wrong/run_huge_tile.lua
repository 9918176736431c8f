local f = tl.jit(function(A)
  A: T.Tensor({64}, T.float32)
  for bx in T.Kernel(1) do
    local tiles = {}
    for i = 1, 20 do
      tiles[i] = T.alloc_shared({1 << 20, 1 << 20}, T.float64)
      T.clear(tiles[i])
    end
    for i = 1, 20 do
      A[i] = tiles[i][0, 0]
    end
  end
end, {target = "cpu -threads=1"})
f(tl.zeros({64}))
