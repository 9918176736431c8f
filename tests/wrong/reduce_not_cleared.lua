local f = tl.jit(function(A)
  A: T.Tensor({8, 128}, T.float32)
  local C = T.empty({8}, T.float32)
  for bx in T.Kernel(1) do
    local tile = T.alloc_fragment({8, 128}, T.float32)
    local row = T.alloc_fragment({8}, T.float32)
    T.copy(A, tile)
    T.reduce_max(tile, row, 1, false)
    T.copy(row, C)
  end
  return C
end)
f(tl.zeros({8, 128}))
