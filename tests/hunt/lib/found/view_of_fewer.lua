-- Wrong: between a store through a view of one dimension and a read by the two of the tensor the barrier was missing where a
-- block had more than 64 footprints: they were filed by dimensions, of which the view has fewer.
local k = tl.jit(function(A, X)
  A: T.Tensor({64, 64}, "float32")
  X: T.Tensor({64, 64}, "float32")
  local Y = T.empty({64, 64}, "float32")
  local Z = T.empty({64, 64}, "float32")
  for bx in T.Kernel(1, {threads = 256}) do
    local Yv = T.view(Y, {4096})
    for n in T.serial(1, 64) do
      for p in T.Parallel(64) do X[p, n] = X[p, n - 1] + 1 end
    end
    for i, j in T.Parallel(64, 64) do Yv[i * 64 + j] = A[i, j] end
    for i, j in T.Parallel(64, 64) do Z[i, j] = Y[j, i] end
  end
  return Y, Z
end)
local a = tl.arange(4096, "float32"):reshape(64, 64)
local _, z = k(a, tl.full({64, 64}, 1, "float32"))
for i = 0, 63 do
  for j = 0, 63 do assert(z:item(i, j) == a:item(j, i)) end
end
print "right"
