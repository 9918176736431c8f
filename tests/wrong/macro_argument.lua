local add = T.macro(function(tile, n)
  for i in T.Parallel(128) do
    tile[i] = tile[i] + n
  end
end)
local f = tl.jit(function(A)
  A: T.Tensor({128}, T.float32)
  for bx in T.Kernel(1) do
    add(A)
  end
end)
f(tl.zeros({128}))
