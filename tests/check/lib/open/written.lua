-- nothing to say: all that is read was written
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
go("same bound, scalar", T.macro(function(X, J, n, C, bx)
  local s = T.alloc_shared({128}, A)
  for i in T.serial(n) do s[i] = 1 end
  if bx == 0 then for i in T.serial(n) do C[i] = s[i] end end end))
go("same bound, guard", T.macro(function(X, J, n, C, bx)
  local s = T.alloc_shared({128}, A)
  for i in T.Parallel(128) do if i < n then s[i] = 1 end end
  if bx == 0 then for i in T.Parallel(128) do if i < n then C[i] = s[i] else C[i] = 0 end end end end))
go("same bound, memory", T.macro(function(X, J, n, C, bx)
  local s = T.alloc_shared({128}, A)
  for i in T.serial(J[0]) do s[i] = 1 end
  if bx == 0 then for j in T.serial(J[0]) do C[j] = s[j] end end end))
go("guard and loop", T.macro(function(X, J, n, C, bx)
  local s = T.alloc_shared({128}, A)
  for i in T.Parallel(128) do if i < n then s[i] = 1 end end
  if bx == 0 then for i in T.serial(n) do C[i] = s[i] end end end))
go("first round clears", T.macro(function(X, J, n, C, bx)
  local s = T.alloc_shared({128}, A)
  for k in T.serial(n) do
    if k == 0 then T.clear(s) end
    for i in T.Parallel(128) do s[i] = s[i] + X[i] end
  end
  if bx == 0 and n > 0 then T.copy(s, C) end end))
go("halves", T.macro(function(X, J, n, C, bx)
  local s = T.alloc_shared({128}, A)
  for i in T.Parallel(64) do s[i] = 1 end
  for i in T.Parallel(64) do s[i + 64] = 1 end
  if bx == 0 then T.copy(s, C) end end))
go("interleaved", T.macro(function(X, J, n, C, bx)
  local s = T.alloc_shared({128}, A)
  for i in T.Parallel(64) do s[2 * i] = 1 end
  for i in T.Parallel(64) do s[2 * i + 1] = 1 end
  if bx == 0 then T.copy(s, C) end end))
go("xor", T.macro(function(X, J, n, C, bx)
  local s = T.alloc_shared({128}, A)
  for i in T.Parallel(128) do s[i ~ 5] = 1 end
  if bx == 0 then T.copy(s, C) end end))
go("if else on data by element", T.macro(function(X, J, n, C, bx)
  local s = T.alloc_shared({128}, A)
  for i in T.Parallel(128) do if J[i] > 0 then s[i] = 1 else s[i] = 2 end end
  if bx == 0 then T.copy(s, C) end end))
go("if else on data, forms", T.macro(function(X, J, n, C, bx)
  local s = T.alloc_shared({128}, A)
  if J[0] > 0 then T.copy(X, s) else for i in T.Parallel(64) do s[i] = 1 s[i + 64] = 2 end end
  if bx == 0 then T.copy(s, C) end end))
go("if elseif else nested", T.macro(function(X, J, n, C, bx)
  local s = T.alloc_shared({128}, A)
  if J[0] > 0 then if J[1] > 0 then T.copy(X, s) else T.fill(s, 2) end elseif n > 2 then T.fill(s, 3) else T.clear(s) end
  if bx == 0 then T.copy(s, C) end end))
go("same data condition", T.macro(function(X, J, n, C, bx)
  local s = T.alloc_shared({128}, A)
  if J[bx] > 0 then T.copy(X, s) end
  if J[bx] > 0 and bx == 0 then T.copy(s, C) end end))
go("same scalar condition", T.macro(function(X, J, n, C, bx)
  local s = T.alloc_shared({128}, A)
  if n > 0 then T.copy(X, s) end
  if n > 0 and bx == 0 then T.copy(s, C) end end))
go("scatter and gather alike", T.macro(function(X, J, n, C, bx)
  local s = T.alloc_shared({128}, A)
  for i in T.serial(128) do s[J[i]] = X[i] end
  if bx == 0 then for i in T.serial(128) do C[i] = s[J[i]] end end end))
go("offset by scalar", T.macro(function(X, J, n, C, bx)
  local s = T.alloc_shared({128}, A)
  for i in T.Parallel(32) do s[i + n] = X[i] end
  if bx == 0 then for i in T.Parallel(32) do C[i] = s[i + n] end end end))
go("ring", T.macro(function(X, J, n, C, bx)
  local s = T.alloc_shared({4, 32}, A)
  for i in T.Parallel(32) do s[0, i] = X[i] end
  for k in T.serial(12) do
    for i in T.Parallel(32) do s[(k + 1) % 4, i] = X[i] + k end
    if bx == 0 then for i in T.Parallel(32) do C[i] = s[k % 4, i] end end
  end end))
go("stages", T.macro(function(X, J, n, C, bx)
  local s = T.alloc_shared({2, 64}, A)
  for i in T.Parallel(64) do s[0, i] = X[i] end
  for k in T.serial(n) do
    if k + 1 < n then for i in T.Parallel(64) do s[(k + 1) % 2, i] = X[i] end end
    if bx == 0 then for i in T.Parallel(64) do C[i] = s[k % 2, i] end end
  end end))
go("prefix", T.macro(function(X, J, n, C, bx)
  local s = T.alloc_shared({128}, A)
  s[0] = X[0]
  for i in T.serial(1, 128) do s[i] = s[i - 1] + X[i] end
  if bx == 0 then T.copy(s, C) end end))
go("triangle", T.macro(function(X, J, n, C, bx)
  local s = T.alloc_shared({16, 16}, A)
  for i in T.serial(16) do for j in T.serial(i + 1) do s[i, j] = 1 end end
  if bx == 0 then for i in T.serial(16) do for j in T.serial(i + 1) do C[i] = s[i, j] end end end end))
go("var by branches", T.macro(function(X, J, n, C, bx)
  for i in T.Parallel(128) do
    local x = T.alloc_var(A)
    if J[i] > 3 then x = 1 elseif i < n then x = 2 else x = 3 end
    if bx == 0 then C[i] = x end
  end end))
go("thread local", T.macro(function(X, J, n, C, bx)
  local tx = T.get_thread_binding()
  local l = T.alloc_local({4}, A)
  for i in T.unroll(4) do l[i] = X[tx] end
  if bx == 0 then C[tx] = l[J[tx] % 4] end end))
go("warps", T.macro(function(X, J, n, C, bx)
  local tx = T.get_thread_binding()
  local s = T.alloc_shared({4}, A)
  if tx % 32 == 0 then s[tx // 32] = X[tx] end
  T.sync_threads()
  if bx == 0 then C[tx] = s[0] + s[3] end end))
go("lane", T.macro(function(X, J, n, C, bx)
  local s = T.alloc_shared({4}, A)
  if T.get_lane_idx() == 0 then s[T.get_warp_idx()] = 1 end
  T.sync_threads()
  local tx = T.get_thread_binding()
  if bx == 0 then C[tx] = s[tx // 32] end end))
go("histogram", T.macro(function(X, J, n, C, bx)
  local s = T.alloc_shared({128}, I)
  T.clear(s)
  for i in T.Parallel(128) do T.atomic_add(s[J[i]], 1) end
  if bx == 0 then for i in T.Parallel(128) do C[i] = T.cast(s[i], A) end end end))
go("view", T.macro(function(X, J, n, C, bx)
  local s = T.alloc_shared({128}, A)
  local v = T.reshape(s, {8, 16})
  for i, j in T.Parallel(8, 8) do v[i, j] = 1 v[i, j + 8] = 2 end
  if bx == 0 then T.copy(s, C) end end))
go("assumed", T.macro(function(X, J, n, C, bx)
  local s = T.alloc_shared({128}, A)
  T.assume(n >= 0) T.assume(n < 2)
  if n == 0 then T.copy(X, s) end
  if n == 1 then T.fill(s, 1) end
  if bx == 0 then T.copy(s, C) end end))
go("ragged end", T.macro(function(X, J, n, C, bx)
  local s = T.alloc_shared({100}, A)
  for i in T.Parallel(100) do if bx * 100 + i < 128 then s[i] = X[bx * 100 + i] end end
  T.copy(s, C[bx * 100 : bx * 100 + 100]) end))
go("ragged end, elements", T.macro(function(X, J, n, C, bx)
  local s = T.alloc_shared({100}, A)
  for i in T.Parallel(100) do if bx * 100 + i < 128 then s[i] = X[bx * 100 + i] end end
  for i in T.Parallel(100) do C[bx * 100 + i] = s[i] end end))
go("chunks and rest", T.macro(function(X, J, n, C, bx)
  local s = T.alloc_shared({128}, A)
  for k in T.serial(n // 32) do for i in T.Parallel(32) do s[k * 32 + i] = 1 end end
  for i in T.serial(n % 32) do s[n // 32 * 32 + i] = 2 end
  if bx == 0 then for i in T.serial(n) do C[i] = s[i] end end end))
local function dyn(name, body)
  io.stderr:write("== ", name, "\n")
  tl.jit(function(X)
    local N = T.dynamic "N"
    X: T.Tensor({N}, A)
    local C = T.empty({N}, A)
    for bx in T.Kernel(T.ceildiv(N, 64), {threads = 64}) do body(X, C, N, bx) end
    return C
  end):compile{}
end
dyn("dynamic, guarded", T.macro(function(X, C, N, bx)
  local s = T.alloc_shared({64}, A)
  for i in T.Parallel(64) do if bx * 64 + i < N then s[i] = X[bx * 64 + i] end end
  T.copy(s, C[bx * 64]) end))
dyn("dynamic, sums", T.macro(function(X, C, N, bx)
  local f, r = T.alloc_fragment({64}, A), T.alloc_fragment({1}, A)
  T.clear(r)
  for k in T.Pipelined(T.ceildiv(N, 64)) do
    T.copy(X[k * 64], f)
    T.reduce_sum(f, r, 0, false)
  end
  for i in T.Parallel(64) do C[bx * 64 + i] = r[0] end end))
dyn("dynamic, first round", T.macro(function(X, C, N, bx)
  local f = T.alloc_fragment({64}, A)
  for k in T.serial(T.ceildiv(N, 64)) do
    if k == 0 then T.copy(X[0:64], f) else for i in T.Parallel(64) do f[i] = f[i] + X[k * 64 + i] end end
  end
  T.copy(f, C[bx * 64]) end))
go("moved, then what was written", T.macro(function(X, J, n, C, bx)
  local f, g, s = T.alloc_fragment({128}, A), T.alloc_fragment({128}, A), T.alloc_shared({128}, A)
  for i in T.Parallel(128) do if i % 3 == 0 then f[i] = X[i] end end
  T.copy(f, g)
  for i in T.Parallel(128) do s[i] = g[i] end
  if bx == 0 then for i in T.Parallel(128) do if i % 3 == 0 then C[i] = s[i] end end end end))
