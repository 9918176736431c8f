-- Roles side by side, one of which reads what the other writes to global memory.
local k = tl.jit(function(X)
  X: T.Tensor({64, 64}, "float32")
  local Y = T.empty({64, 64}, "float32")
  local Z = T.empty({64, 64}, "float32")
  for bx in T.Kernel(1, {threads = 256}) do
    for _ in T.ws(1) do
      for i, j in T.Parallel(64, 64) do Y[i, j] = X[i, j] + 1 end
    end
    for _ in T.ws(0) do
      for i, j in T.Parallel(64, 64) do Z[i, j] = Y[j, i] * 2 end
    end
  end
  return Y, Z
end)
print(k:compile() ~= nil)
