-- What T.print and T.device_assert write.
local numbers = tl.jit(function(x)
  x: T.Tensor({1}, T.float32)
  for bx in T.Kernel(2, {threads = 128}) do
    for i in T.Parallel(128) do T.print(i, "n") end
  end
end)
local tiles = tl.jit(function(x)
  x: T.Tensor({1}, T.float32)
  for bx in T.Kernel(2, {threads = 128}) do
    local f = T.alloc_fragment({64, 4}, T.int32)
    for i, j in T.Parallel(64, 4) do f[i, j] = bx * 1000 + i * 4 + j end
    T.print(f, "tile")
  end
end)
local shout = tl.jit(function(x)
  x: T.Tensor({1}, T.float32)
  for bx in T.Kernel(300, {threads = 128}) do
    for i in T.Parallel(128) do T.print(i, "n") end
  end
end)
local fail = tl.jit(function(x)
  x: T.Tensor({1}, T.float32)
  for bx in T.Kernel(2, {threads = 64}) do
    for i in T.Parallel(64) do T.device_assert(x[0] < 1, "too large") end
  end
end)
local kernels = {numbers = numbers, tiles = tiles, shout = shout, fail = fail}
local x = tl.zeros({1}, "float32")
if arg[1] == "fail" then
  x[0] = 2
end
kernels[arg[1]](x)
