-- workspaces (T.alloc_global), whose contents are undefined until something writes them
local A, I = "float32", "int32"
local function go(name, body)
  io.stderr:write("== ", name, "\n")
  local k = tl.jit(function(X, J)
    X: T.Tensor({128}, A)
    J: T.Tensor({128}, I)
    local C, W = T.empty({128}, A), T.alloc_global({128}, A)
    body(X, J, C, W)
    return C
  end)
  local ok, why = pcall(k, tl.ones({128}, A), tl.zeros({128}, I))
  if not ok then io.stderr:write(tostring(why):match "error%[E%d+%][^\n]*" or tostring(why), "\n") end
end
go("never written", T.macro(function(X, J, C, W)
  for bx in T.Kernel(1, {threads = 128}) do T.copy(W, C) end end))
go("updated only", T.macro(function(X, J, C, W)
  for bx in T.Kernel(1, {threads = 128}) do
    for i in T.Parallel(128) do W[i] += X[i] C[i] = W[i] end
  end end))
go("memory decides", T.macro(function(X, J, C, W)
  for bx in T.Kernel(1, {threads = 128}) do
    for i in T.Parallel(128) do if J[i] > 0 then W[i] = X[i] end end
  end
  for bx in T.Kernel(1, {threads = 128}) do T.copy(W, C) end end))
go("one half", T.macro(function(X, J, C, W)
  for bx in T.Kernel(1, {threads = 128}) do T.copy(X[0:64], W[0:64]) end
  for bx in T.Kernel(1, {threads = 128}) do T.copy(W, C) end end))
go("fine: a launch before", T.macro(function(X, J, C, W)
  for bx in T.Kernel(2, {threads = 128}) do T.copy(X[bx * 64], W[bx * 64:bx * 64 + 64]) end
  for bx in T.Kernel(1, {threads = 128}) do T.copy(W, C) end end))
go("fine: cleared and added to", T.macro(function(X, J, C, W)
  for bx in T.Kernel(1, {threads = 128}) do T.clear(W) end
  for bx in T.Kernel(4, {threads = 128}) do
    for i in T.Parallel(128) do T.atomic_add(W[i], X[i]) end
  end
  for bx in T.Kernel(1, {threads = 128}) do T.copy(W, C) end end))
-- A read under a condition that comes first: what blocks write later may have been written by then.
go("some blocks read what nobody writes", T.macro(function(X, J, C, W)
  for bx in T.Kernel(1, {threads = 128}) do T.copy(X, C) end
  for bx in T.Kernel(3, {threads = 128}) do
    local s = T.alloc_shared({4}, A)
    T.clear(s)
    if bx < 2 then T.copy(W[8:12], s) end
    W[bx] = 4
    for o in T.Parallel(4) do C[bx * 4 + o] = s[o] end
  end end))
go("another launch writes it, later", T.macro(function(X, J, C, W)
  for bx in T.Kernel(1, {threads = 128}) do T.copy(X, C) end
  for bx in T.Kernel(2, {threads = 128}) do
    for o in T.Parallel(4) do if bx < 1 then C[o] = W[o] else W[o + 64] = 1 end end
  end
  for bx in T.Kernel(1, {threads = 128}) do T.copy(X, W) end end))
go("the other blocks write it, in no order", T.macro(function(X, J, C, W)
  for bx in T.Kernel(1, {threads = 128}) do T.copy(X, C) end
  for bx in T.Kernel(3, {threads = 128}) do
    if bx < 2 then
      for o in T.Parallel(4) do C[bx * 4 + o] = W[o] end
    else
      for o in T.Parallel(4) do W[o] = X[o] end
    end
  end end))
go("fine: memory decides who reads what", T.macro(function(X, J, C, W)
  for bx in T.Kernel(1, {threads = 128}) do T.copy(X, C) end
  for bx in T.Kernel(3, {threads = 128}) do
    if J[bx] > 0 then C[bx] = W[J[bx]] end
    W[bx] = X[bx]
  end end))
