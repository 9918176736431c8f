-- what nothing has written is read, for some values or for all
local A, I = "float32", "int32"
local function go(name, body)
  io.stderr:write("== ", name, "\n")
  tl.jit(function(X, J, n)
    X: T.Tensor({128}, A)
    J: T.Tensor({128}, I)
    n: T.int32
    local C = T.empty({128}, A)
    for bx in T.Kernel(2, {threads = 128}) do body(X, J, n, C, bx) end
    return C
  end):compile{}
end
go("block condition", T.macro(function(X, J, n, C, bx)
  local s = T.alloc_shared({128}, A)
  if bx > 0 then T.copy(X, s) end
  if bx == 0 then T.copy(s, C) end end))
go("loop round condition", T.macro(function(X, J, n, C, bx)
  local s = T.alloc_shared({128}, A)
  for k in T.serial(4) do
    if k == 2 then T.copy(X, s) end
    if bx == 0 then T.copy(s, C) end
  end end))
go("every other", T.macro(function(X, J, n, C, bx)
  local s = T.alloc_shared({128}, A)
  for i in T.Parallel(64) do s[2 * i] = X[i] end
  if bx == 0 then T.copy(s, C) end end))
go("nested ifs", T.macro(function(X, J, n, C, bx)
  local s = T.alloc_shared({128}, A)
  if J[0] > 0 then
    if J[1] > 0 then T.copy(X, s) else T.fill(s, 2) end
  else
    if J[1] > 0 then T.fill(s, 1) end
  end
  if bx == 0 then T.copy(s, C) end end))
go("elseif", T.macro(function(X, J, n, C, bx)
  local s = T.alloc_shared({128}, A)
  if J[0] > 0 then T.copy(X, s) elseif J[1] == 3 then T.fill(s, 2) end
  if bx == 0 then T.copy(s, C) end end))
go("loop to memory", T.macro(function(X, J, n, C, bx)
  local s = T.alloc_shared({128}, A)
  for k in T.serial(J[0]) do T.copy(X, s) end
  if bx == 0 then T.copy(s, C) end end))
go("loop to scalar, part", T.macro(function(X, J, n, C, bx)
  local s = T.alloc_shared({128}, A)
  for i in T.serial(n) do s[i] = 1 end
  if bx == 0 then T.copy(s, C) end end))
go("loop to scalar, one more", T.macro(function(X, J, n, C, bx)
  local s = T.alloc_shared({128}, A)
  for i in T.serial(n) do s[i] = 1 end
  if bx == 0 then for i in T.serial(n + 1) do C[i] = s[i] end end end))
go("view", T.macro(function(X, J, n, C, bx)
  local s = T.alloc_shared({128}, A)
  local v = T.reshape(s, {8, 16})
  for i, j in T.Parallel(8, 15) do v[i, j] = 1 end
  if bx == 0 then T.copy(s, C) end end))
go("view, data", T.macro(function(X, J, n, C, bx)
  local s = T.alloc_shared({128}, A)
  local v = T.reshape(s, {8, 16})
  for i, j in T.Parallel(8, 8) do v[i, j] = 1 end
  if J[0] > 0 then for i, j in T.Parallel(8, 8) do v[i, j + 8] = 1 end end
  if bx == 0 then T.copy(s, C) end end))
go("alloc_var", T.macro(function(X, J, n, C, bx)
  for i in T.Parallel(128) do
    local x = T.alloc_var(A)
    if J[i] > 0 then x = X[i] end
    if bx == 0 then C[i] = x end
  end end))
go("alloc_var, scalar", T.macro(function(X, J, n, C, bx)
  for i in T.Parallel(128) do
    local x = T.alloc_var(A)
    if i < n then x = X[i] end
    if bx == 0 then C[i] = x end
  end end))
go("fragment", T.macro(function(X, J, n, C, bx)
  local f = T.alloc_fragment({128}, A)
  for i in T.Parallel(128) do if J[i] > 0 then f[i] = X[i] end end
  for i in T.Parallel(128) do if J[i] > -1 then if bx == 0 then C[i] = f[i] end end end end))
go("local", T.macro(function(X, J, n, C, bx)
  local tx = T.get_thread_binding()
  local l = T.alloc_local({4}, A)
  for i in T.serial(3) do l[i] = X[tx] end
  if bx == 0 then C[tx] = l[0] + l[J[0] + 3] end end))
go("atomic", T.macro(function(X, J, n, C, bx)
  local s = T.alloc_shared({128}, A)
  for i in T.Parallel(64) do s[i] = 0 end
  for i in T.Parallel(128) do T.atomic_add(s[i], X[i]) end
  if bx == 0 then for i in T.Parallel(64) do C[i] = s[i] end end end))
go("atomic, data place", T.macro(function(X, J, n, C, bx)
  local s = T.alloc_shared({128}, A)
  for i in T.Parallel(64) do s[i] = 0 end
  for i in T.Parallel(128) do T.atomic_add(s[J[i] + 64], X[i]) end
  if bx == 0 then for i in T.Parallel(64) do C[i] = s[i] end end end))
go("partial copy", T.macro(function(X, J, n, C, bx)
  local s = T.alloc_shared({128}, A)
  T.copy(X[0:64], s[0:64])
  if J[0] > 0 then T.copy(X[64:128], s[64:128]) end
  if bx == 0 then T.copy(s, C) end end))
go("copy to data place", T.macro(function(X, J, n, C, bx)
  local s = T.alloc_shared({128}, A)
  T.copy(X[0:64], s[0:64])
  T.copy(X[0:64], s[J[0] : J[0] + 64])
  if bx == 0 then T.copy(s, C) end end))
go("reduce of half", T.macro(function(X, J, n, C, bx)
  local f, r = T.alloc_fragment({4, 32}, A), T.alloc_fragment({4}, A)
  for i, j in T.Parallel(4, 32) do if j < n then f[i, j] = 1 end end
  T.reduce_sum(f, r, 1)
  if bx == 0 then for i in T.Parallel(4) do C[i] = r[i] end end end))
go("gemm accumulates", T.macro(function(X, J, n, C, bx)
  local a, b = T.alloc_shared({64, 64}, "float16"), T.alloc_shared({64, 64}, "float16")
  local c = T.alloc_fragment({64, 64}, A)
  T.fill(a, 1) T.fill(b, 1)
  if J[0] == 0 and n > 3 then T.clear(c) end
  T.gemm(a, b, c)
  if bx == 0 then for i in T.Parallel(64) do C[i] = c[0, i] end end end))
go("thread condition", T.macro(function(X, J, n, C, bx)
  local tx = T.get_thread_binding()
  local s = T.alloc_shared({128}, A)
  if tx < 127 then s[tx] = X[tx] end
  T.sync_threads()
  if bx == 0 then C[tx] = s[127 - tx] end end))
go("while", T.macro(function(X, J, n, C, bx)
  local s = T.alloc_shared({128}, A)
  local i = T.alloc_var(I, 0)
  while i < J[0] do T.copy(X, s) i = i + 1 end
  if bx == 0 then T.copy(s, C) end end))
go("pipelined to scalar", T.macro(function(X, J, n, C, bx)
  local s = T.alloc_shared({128}, A)
  for k in T.Pipelined(n) do if k == 1 then T.copy(X, s) end end
  if bx == 0 then T.copy(s, C) end end))
go("two scalars in a range", T.macro(function(X, J, n, C, bx)
  local s = T.alloc_shared({128}, A)
  for i in T.Parallel(128) do if i >= n then s[i] = 1 end end
  if bx == 0 then T.copy(s, C) end end))
go("swapped places", T.macro(function(X, J, n, C, bx)
  local s = T.alloc_shared({128}, A)
  for i in T.Parallel(128) do if J[i] > 0 then s[i] = 1 else s[127 - i] = 2 end end
  if bx == 0 then T.copy(s, C) end end))
go("changed condition", T.macro(function(X, J, n, C, bx)
  local s = T.alloc_shared({128}, A)
  local on = T.alloc_var(I, 1)
  if J[0] > 0 then on = 0 end
  if on == 1 then T.copy(X, s) end
  on = 1
  if on == 1 then if bx == 0 then T.copy(s, C) end end end))
go("read before in the round", T.macro(function(X, J, n, C, bx)
  local s = T.alloc_shared({4, 32}, A)
  for k in T.serial(4) do
    for i in T.Parallel(32) do s[k, i] = X[i] end
    if bx == 0 then for i in T.Parallel(32) do C[i] = s[k + J[0] * 0 + T.if_then_else(k < 3, 1, 0), i] end end
  end end))
go("carried from the next round", T.macro(function(X, J, n, C, bx)
  local s = T.alloc_shared({4, 32}, A)
  for k in T.serial(4) do
    if bx == 0 then for i in T.Parallel(32) do C[i] = s[(k + 3) % 4, i] end end
    for i in T.Parallel(32) do s[k, i] = X[i] end
  end end))
go("int4 like bits", T.macro(function(X, J, n, C, bx)
  local s = T.alloc_shared({128}, "int8")
  for i in T.Parallel(128) do if J[i] >= n then s[i] = 1 end end
  for i in T.Parallel(128) do if J[i] >= n - 1 then if bx == 0 then C[i] = T.cast(s[i], A) end end end end))

io.stderr:write("== float of the call\n")
tl.jit(function(X, beta)
  X: T.Tensor({128}, A)
  beta: T.float32
  local C = T.empty({128}, A)
  for bx in T.Kernel(1, {threads = 128}) do
    local s = T.alloc_shared({128}, A)
    if beta ~= 0 then T.copy(X, s) end
    T.copy(s, C)
  end
  return C
end):compile{}

local function dynamic(name, body)
  io.stderr:write("== ", name, "\n")
  tl.jit(function(X)
    local N = T.dynamic "N"
    X: T.Tensor({N}, A)
    local C = T.empty({N}, A)
    for bx in T.Kernel(T.ceildiv(N, 64), {threads = 64}) do body(X, C, N, bx) end
    return C
  end):compile{}
end
dynamic("dynamic, first block", T.macro(function(X, C, N, bx)
  local s = T.alloc_shared({64}, A)
  if bx > 0 then T.copy(X[bx * 64], s) end
  T.copy(s, C[bx * 64]) end))
dynamic("dynamic, last block", T.macro(function(X, C, N, bx)
  local s = T.alloc_shared({64}, A)
  for i in T.Parallel(64) do if bx * 64 + i + 64 < N then s[i] = X[bx * 64 + i] end end
  T.copy(s, C[bx * 64]) end))

-- registers may be moved on as they are; what is moved is as unwritten as it was
local part = T.macro(function(f, X) for i in T.Parallel(128) do if i % 3 == 0 then f[i] = X[i] end end end)
go("moved, then used", T.macro(function(X, J, n, C, bx)
  local f, g, s = T.alloc_fragment({128}, A), T.alloc_fragment({128}, A), T.alloc_shared({128}, A)
  part(f, X)
  T.copy(f, g)
  for i in T.Parallel(128) do s[i] = g[i] end
  if bx == 0 then T.copy(s, C) end end))
go("moved over what was written", T.macro(function(X, J, n, C, bx)
  local f, s = T.alloc_fragment({128}, A), T.alloc_shared({128}, A)
  T.clear(s)
  part(f, X)
  T.copy(f, s)
  if bx == 0 then T.copy(s, C) end end))
go("computed with", T.macro(function(X, J, n, C, bx)
  local f, g = T.alloc_fragment({128}, A), T.alloc_fragment({128}, A)
  part(f, X)
  for i in T.Parallel(128) do g[i] = f[i] * 2 end
  if bx == 0 then for i in T.Parallel(128) do if i % 3 == 0 then C[i] = g[i] end end end end))
