local add = T.macro(function(tile)
  for i in T.Parallel(128) do
    tile[i] = tile[i] + 1
  end
end)
local f = tl.jit(function(A)
  A: T.Tensor({8, 128}, T.float32)
  for bx in T.Kernel(1) do
    local x = T.alloc_shared({8, 128}, T.float32)
    T.copy(A, x)
    add(x)
    T.copy(x, A)
  end
end)
f(tl.zeros({8, 128}))
