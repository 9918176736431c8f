-- expect: unwritten visible
-- part: night
-- Whole turns only: the tiles of the last one are left out.

night = tl.jit(function(A, BLOCKS, PANEL)
  local R, C = T.const "R, C"
  A: T.Tensor({R, C}, T.int32)
  local Done = T.empty({R, C}, T.int32)
  for p in T.Kernel(BLOCKS) do
    local clock = T.alloc_var(T.int32, 0)
    for turn in T.serial(R * C // BLOCKS) do
      local t = turn * BLOCKS + p
      local top = t // (PANEL * C) * PANEL
      local height = T.min(PANEL, R - top)
      local u = t - top * C
      local row = top + u % height
      local col = u // height
      clock += A[row, col]
      Done[row, col] = clock
    end
  end
  return Done
end)
