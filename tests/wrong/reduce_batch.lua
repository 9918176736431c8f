local f = tl.jit(function(A)
  A: T.Tensor({8, 128}, T.float32)
  local C = T.empty({8}, T.float32)
  for bx in T.Kernel(1) do
    local tile = T.alloc_fragment({8, 128}, T.float32)
    local row = T.alloc_fragment({8}, T.float32)
    T.copy(A, tile)
    T.reduce_sum(tile, row, {dim = 1, batch = 0})
    T.copy(row, C)
  end
  return C
end)
f(tl.zeros({8, 128}))
