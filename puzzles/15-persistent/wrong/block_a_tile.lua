-- expect: goal blocks
-- part: night
-- A block for every tile goes through the night up to it.

night = tl.jit(function(A, BLOCKS, PANEL)
  local R, C = T.const "R, C"
  A: T.Tensor({R, C}, T.int32)
  local Done = T.empty({R, C}, T.int32)
  for p in T.Kernel(R * C) do
    local clock = T.alloc_var(T.int32, 0)
    for t in T.serial(p % BLOCKS, p + 1, BLOCKS) do
      local top = t // (PANEL * C) * PANEL
      local height = T.min(PANEL, R - top)
      local u = t - top * C
      local row = top + u % height
      local col = u // height
      clock += A[row, col]
      if t == p then
        Done[row, col] = clock
      end
    end
  end
  return Done
end)
