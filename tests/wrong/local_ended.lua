-- A local of a loop, used behind it.
tl.jit(function(X)
  X: T.Tensor({32}, "int32")
  local C = T.empty({32}, "int32")
  for bx in T.Kernel(1, {threads = 32}) do
    for j in T.serial(2) do
      local other, tile = 1, T.alloc_shared({32}, "int32")
      T.copy(X, tile)
    end
    for i in T.Parallel(32) do C[i] = tile[i] end
  end
  return C
end)(tl.arange(32, "int32"))
