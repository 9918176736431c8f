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
