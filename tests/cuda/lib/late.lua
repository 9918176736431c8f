-- A kernel that is never ready: its launch fails, and what was made before is still there.
local add = tl.jit(function(x)
  local n = T.dynamic "n"
  x: T.Tensor({n}, T.float32)
  local y = T.empty({n}, T.float32)
  for bx in T.Kernel(T.ceildiv(n, 128), {threads = 128}) do
    for i in T.Parallel(128) do
      y[bx * 128 + i] = x[bx * 128 + i] + 1
    end
  end
  return y
end)
local x = tl.ones({300}, "float32"):to "cuda"
print(x:sum())
print(pcall(add, x))
print(x:sum())
