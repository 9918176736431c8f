-- nothing to say: decided, or of no consequence
local fine = tl.jit(function(X, J, n)
  X: T.Tensor({128}, "float32")
  J: T.Tensor({128}, "int32")
  n: T.int32
  local N = T.dynamic "N"
  local C, D, E = T.empty({512}, "float32"), T.empty({64}, "float32"), T.empty({4, 128}, "float32")
  for bx in T.Kernel(4, {threads = 128}) do
    local s = T.alloc_shared({256}, "float32")
    T.clear(s)
    for i in T.Parallel(128) do s[i * 2 + J[i] % 2] = X[i] end               -- wherever in its pair
    for i in T.Parallel(128) do if i == J[0] then s[0] = X[i] end end        -- one of them
    for i in T.Parallel(128) do if i < 64 then s[i] = X[i] else s[i + 64] = s[i - 64 + 192] end end
    for k in T.serial(J[0]) do for i in T.Parallel(128) do s[(i + k) % 128] = X[i] end end
    for i in T.Parallel(128) do E[bx, i] = s[i] end
    for i in T.Parallel(128) do C[bx * 128 + i] = s[i] end
    for i in T.Parallel(64) do D[i] = X[i] end                               -- all blocks the same
  end
  return C, D, E
end)
print(fine(tl.ones({128}, "float32"), tl.zeros({128}, "int32"), 3):item(0))

local written = tl.jit(function(X, Z)
  X: T.Tensor({64}, "float32")
  Z: T.Tensor({2}, "int32")
  local C = T.empty({64}, "float32")
  for bx in T.Kernel(1, {threads = 64}) do
    local s, t, u = T.alloc_shared({64}, "float32"), T.alloc_shared({64}, "float32"), T.alloc_shared({64}, "float32")
    if Z[0] ~= 0 then
      T.copy(X, s)
    elseif Z[1] > 3 then
      T.fill(s, 1)
    else
      T.fill(s, 2)
    end
    if Z[1] == 5 then T.copy(X, t) end
    T.clear(u)
    for i in T.Parallel(64) do if i < Z[0] then u[i] = X[i] end end
    if Z[1] == 5 then T.copy(t, u) end
    for i in T.Parallel(64) do C[i] = s[i] + u[i] end
  end
  return C
end)
print(written(tl.ones({64}, "float32"), tl.zeros({2}, "int32")):item(0))
