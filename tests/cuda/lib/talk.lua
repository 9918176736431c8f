-- What T.print writes: numbers of threads; then also a tile.  The stand-in for the
-- driver knows both kernels, and two more: one that prints too much, one that fails.
local talk = tl.jit(function(x)
  x: T.Tensor({1}, T.float32)
  for bx in T.Kernel(2, {threads = 32}) do
    for i in T.Parallel(32) do T.print(i, "n") end
  end
end)
local talk_tiles = tl.jit(function(x)
  x: T.Tensor({1}, T.float32)
  for bx in T.Kernel(2, {threads = 32}) do
    local f = T.alloc_fragment({64}, T.int32)
    for i in T.Parallel(64) do f[i] = bx * 1000 + i end
    for i in T.Parallel(32) do T.print(i, "n") end
    T.print(f, "tile")
  end
end)
local shout = tl.jit(function(x)
  x: T.Tensor({1}, T.float32)
  for bx in T.Kernel(1, {threads = 32}) do
    for i in T.Parallel(32) do T.print(i, "n") end
  end
end)
local fail = tl.jit(function(x)
  x: T.Tensor({1}, T.float32)
  for bx in T.Kernel(2, {threads = 32}) do
    for i in T.Parallel(32) do T.device_assert(x[0] < 1, "too large") end
  end
end)
local kernels = {numbers = talk, tiles = talk_tiles, shout = shout, fail = fail}
kernels[arg[1]](tl.zeros({1}, "float32"))
