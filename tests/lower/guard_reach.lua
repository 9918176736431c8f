-- A loop up to a number of the call ends where no range says: the test of a whole tile would add that end, 2147483647,
-- to the block's first element, which wraps, and then all of the tile would count as inside.
tl.set_target "sim -arch=sm_80"
local rows = tl.jit(function(X, s)
  X: T.Tensor({8}, T.int32)
  s: T.int32
  local O = T.empty({8, 29}, T.int32)
  for bx in T.Kernel(4, {threads = 32}) do
    for i in T.Parallel(8) do
      for j in T.serial(T.min(8, s)) do O[i, bx * 8 + j] = X[i] + j end
    end
  end
  return O
end)
print(rows(tl.arange(8, "int32"), 8))
