-- whether `s` is written depends on data
local whole = tl.jit(function(X, Z)
  X: T.Tensor({64}, "float32")
  Z: T.Tensor({1}, "int32")
  local C = T.empty({64}, "float32")
  for bx in T.Kernel(1, {threads = 64}) do
    local s = T.alloc_shared({64}, "float32")
    if Z[0] ~= 0 then T.copy(X, s) end
    T.copy(s, C)
  end
  return C
end)
print(whole(tl.ones({64}, "float32"), tl.ones({1}, "int32")):item(0))

-- half of `s` is written, which half depends on data
local part = tl.jit(function(X, Z)
  X: T.Tensor({64}, "float32")
  Z: T.Tensor({1}, "int32")
  local C = T.empty({64}, "float32")
  for bx in T.Kernel(1, {threads = 64}) do
    local s = T.alloc_fragment({64}, "float32")
    for i in T.Parallel(64) do if i < Z[0] then s[i] = X[i] end end
    T.copy(s, C)
  end
  return C
end)
print(part(tl.ones({64}, "float32"), tl.full({1}, 64, "int32")):item(0))

-- an output that nothing cleared
local sum = tl.jit(function(A)
  A: T.Tensor({256}, "float32")
  local C = T.empty({256}, "float32")
  for bx in T.Kernel(4, {threads = 64}) do
    for i in T.Parallel(64) do C[bx * 64 + i] += A[bx * 64 + i] end
  end
  return C
end)
sum:compile{}
local atomic = tl.jit(function(A)
  A: T.Tensor({256}, "float32")
  local C = T.empty({256}, "float32")
  for bx in T.Kernel(4, {threads = 64}) do
    for i in T.Parallel(64) do T.atomic_add(C[bx * 64 + i], A[bx * 64 + i]) end
  end
  return C
end)
atomic:compile{}
