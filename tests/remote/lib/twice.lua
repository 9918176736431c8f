local twice = tl.jit(function(x)
  local n = T.dynamic "n"
  x: T.Tensor({n}, T.float32)
  local y = T.empty({n}, T.float32)
  for bx in T.Kernel(T.ceildiv(n, 128)) do
    for i in T.Parallel(128) do
      y[bx * 128 + i] = x[bx * 128 + i] * 2
    end
  end
  return y
end)
for i = 1, tonumber(arg and arg[2]) or 1 do
  print(twice(tl.arange(tonumber(arg and arg[1]) or 4, "float32")))
end
