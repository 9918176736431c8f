-- expect: wrong visible
-- part: night
-- Rows first: the order without panels.

night = tl.jit(function(A, BLOCKS, PANEL)
  local R, C = T.const "R, C"
  A: T.Tensor({R, C}, T.int32)
  local Done = T.empty({R, C}, T.int32)
  for p in T.Kernel(BLOCKS) do
    local clock = T.alloc_var(T.int32, 0)
    for t in T.serial(p, R * C, BLOCKS) do
      local row = t // C
      local col = t % C
      clock += A[row, col]
      Done[row, col] = clock
    end
  end
  return Done
end)
