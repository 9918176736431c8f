-- whether iterations meet is a matter of values
local scatter = tl.jit(function(X, J)
  X: T.Tensor({128}, "float32")
  J: T.Tensor({128}, "int32")
  local C = T.empty({512}, "float32")
  for _ in T.Kernel(1, {threads = 128}) do
    for i in T.Parallel(512) do C[i] = 0 end
    for i in T.Parallel(128) do C[J[i]] = X[i] end
    for i in T.Parallel(128) do C[J[i]] = X[i] + 1 end -- said once
  end
  return C
end)
print(scatter(tl.ones({128}, "float32"), tl.arange(128, "int32")):item(0))

-- the number of rounds comes from memory
local rounds = tl.jit(function(X)
  X: T.Tensor({5, 3}, "int32")
  local C = T.empty({5, 3}, "int32")
  for bx in T.Kernel(1, {threads = 32}) do
    local b = T.alloc_shared({5, 3}, "int32")
    T.copy(X, b)
    for K in T.serial(X[4, 2]) do
      for i, j in T.Parallel(5, 3) do
        if i % 3 == K then b[i, j] = b[0, 0] + 1 end
      end
    end
    T.copy(b, C)
  end
  return C
end)
print(rounds(tl.zeros({5, 3}, "int32")))

-- blocks: `moontile explain` says it
local ragged = tl.jit(function(X, first)
  X: T.Tensor({8, 64}, "float32")
  first: T.Tensor({8}, "int32")
  local C = T.empty({8, 64}, "float32")
  for bx in T.Kernel(8, {threads = 64}) do T.copy(X[bx, :], C[first[bx], :]) end
  return C
end)
print(ragged(tl.ones({8, 64}, "float32"), tl.arange(8, "int32")):item(7, 63))
