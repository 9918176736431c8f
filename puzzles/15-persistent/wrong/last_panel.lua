-- expect: unwritten visible
-- part: night
-- The last panel is taken for a full one: half of its fields lie below the grid.

night = tl.jit(function(A, BLOCKS, PANEL)
  local R, C = T.const "R, C"
  A: T.Tensor({R, C}, T.int32)
  local Done = T.empty({R, C}, T.int32)
  for p in T.Kernel(BLOCKS) do
    local clock = T.alloc_var(T.int32, 0)
    for t in T.serial(p, R * C, BLOCKS) do
      local top = t // (PANEL * C) * PANEL
      local height = PANEL
      local u = t - top * C
      local row = top + u % height
      local col = u // height
      clock += A[row, col]
      Done[row, col] = clock
    end
  end
  return Done
end)
