-- y = 2 * x, for a length that is known at run time.
local twice = tl.jit(function(x)
  local n = T.dynamic "n"
  x: T.Tensor({n}, T.float32)
  local y = T.empty({n}, T.float32)
  for bx in T.Kernel(T.ceildiv(n, 128), {threads = 128}) do
    for i in T.Parallel(128) do
      y[bx * 128 + i] = x[bx * 128 + i] * 2
    end
  end
  return y
end)

tl.manual_seed(1)
local x = tl.randn({1000}, "float32")
local want = tl.ref.add(x, x)
local function try(k)
  local ok, y = pcall(twice, x)
  if not ok then
    error(y, 0)
  end
  print(k, tl.allclose(y, want))
end
for k = 1, tonumber(arg[1]) or 1 do
  try(k)
end
