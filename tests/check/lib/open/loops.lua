-- an index of casts to float16 and back is computed
local k = tl.jit(function(X)
  X: T.Tensor({128}, "float32")
  local C = T.empty({512}, "float32")
  for _ in T.Kernel(1, {threads = 128}) do
    for i in T.Parallel(512) do C[i] = 0 end
    for i in T.Parallel(128) do C[T.cast(T.cast(i + 2048, "float16"), "int32") % 512] = X[i] end
  end
  return C
end)
print(k(tl.arange(128, "float32")):item(0))
