-- expect: goal blocks
-- part: night
-- One block plays all six.

night = tl.jit(function(A, BLOCKS, PANEL)
  local R, C = T.const "R, C"
  A: T.Tensor({R, C}, T.int32)
  local Done = T.empty({R, C}, T.int32)
  for bx in T.Kernel(1) do
    local clock = T.alloc_var(T.int32, 0)
    for p in T.serial(BLOCKS) do
      clock = 0
      for t in T.serial(p, R * C, BLOCKS) do
        local top = t // (PANEL * C) * PANEL
        local height = T.min(PANEL, R - top)
        local u = t - top * C
        local row = top + u % height
        local col = u // height
        clock += A[row, col]
        Done[row, col] = clock
      end
    end
  end
  return Done
end)
