-- iterations that meet for some values of n or of J
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
go("offset read", T.macro(function(X, J, n, C, bx)
  if bx == 0 then T.copy(X, C) for i in T.Parallel(64) do C[i] = C[i + n] + 1 end end end))
go("offset write shared", T.macro(function(X, J, n, C, bx)
  local s = T.alloc_shared({128}, A) T.copy(X, s)
  for i in T.Parallel(64) do s[i + n] = s[i] + 1 end
  if bx == 0 then T.copy(s, C) end end))
go("stride", T.macro(function(X, J, n, C, bx)
  local s = T.alloc_shared({128}, A) T.copy(X, s)
  for i, j in T.Parallel(8, 8) do s[(i * n + j) % 128] = i end
  if bx == 0 then T.copy(s, C) end end))
go("divided", T.macro(function(X, J, n, C, bx)
  local s = T.alloc_shared({128}, A) T.copy(X, s)
  for i in T.Parallel(64) do s[i // n] = i end
  if bx == 0 then T.copy(s, C) end end))
go("modulo", T.macro(function(X, J, n, C, bx)
  local s = T.alloc_shared({128}, A) T.copy(X, s)
  for i in T.Parallel(64) do s[i % n] = i end
  if bx == 0 then T.copy(s, C) end end))
go("guarded by scalar", T.macro(function(X, J, n, C, bx)
  local s = T.alloc_shared({128}, A) T.copy(X, s)
  for i in T.Parallel(64) do if i < n then s[i] = s[i + 1] end end
  if bx == 0 then T.copy(s, C) end end))
go("guarded place", T.macro(function(X, J, n, C, bx)
  local s = T.alloc_shared({128}, A) T.copy(X, s)
  for i in T.Parallel(64) do if i < n then s[0] = i end end
  if bx == 0 then T.copy(s, C) end end))
go("max with scalar", T.macro(function(X, J, n, C, bx)
  local s = T.alloc_shared({128}, A) T.copy(X, s)
  for i in T.Parallel(64) do s[T.max(i, n)] = i end
  if bx == 0 then T.copy(s, C) end end))
go("select by scalar", T.macro(function(X, J, n, C, bx)
  local s = T.alloc_shared({128}, A) T.copy(X, s)
  for i in T.Parallel(64) do s[T.if_then_else(n > 3, 0, i)] = i end
  if bx == 0 then T.copy(s, C) end end))
go("xor with scalar read", T.macro(function(X, J, n, C, bx)
  local s = T.alloc_shared({128}, A) T.copy(X, s)
  for i in T.Parallel(64) do s[i] = s[i ~ n] + 1 end
  if bx == 0 then T.copy(s, C) end end))
go("condition by scalar", T.macro(function(X, J, n, C, bx)
  local s = T.alloc_shared({128}, A) T.copy(X, s)
  for i in T.Parallel(64) do if n > 3 then s[i] = s[63 - i] else s[i] = 0 end end
  if bx == 0 then T.copy(s, C) end end))
go("loop count by scalar", T.macro(function(X, J, n, C, bx)
  local s = T.alloc_shared({128}, A) T.copy(X, s)
  for i in T.Parallel(64) do for k in T.serial(n) do s[i + k] = k end end
  if bx == 0 then T.copy(s, C) end end))
go("extent by scalar", T.macro(function(X, J, n, C, bx)
  local s = T.alloc_shared({128}, A) T.copy(X, s)
  for i in T.Parallel(n) do s[i % 4] = i end
  if bx == 0 then T.copy(s, C) end end))
go("equal to scalar", T.macro(function(X, J, n, C, bx)
  local s = T.alloc_shared({128}, A) T.copy(X, s)
  for i in T.Parallel(64) do if i % 8 == n then s[0] = i end end
  if bx == 0 then T.copy(s, C) end end))
go("data condition, offset", T.macro(function(X, J, n, C, bx)
  local s = T.alloc_shared({128}, A) T.copy(X, s)
  for i in T.Parallel(64) do if J[i] == 0 then s[i] = s[i + n] end end
  if bx == 0 then T.copy(s, C) end end))
go("scatter read", T.macro(function(X, J, n, C, bx)
  local s = T.alloc_shared({128}, A) T.copy(X, s)
  for i in T.Parallel(64) do s[i] = s[J[i]] end
  if bx == 0 then T.copy(s, C) end end))
go("fragment read of scalar", T.macro(function(X, J, n, C, bx)
  local s = T.alloc_fragment({128}, A) T.copy(X, s)
  for i in T.Parallel(64) do s[i] = s[n] + 1 end
  if bx == 0 then T.copy(s, C) end end))
go("two statements", T.macro(function(X, J, n, C, bx)
  local s = T.alloc_shared({128}, A) T.copy(X, s)
  for i in T.Parallel(32) do s[i] = 1 s[n + i] = 2 end
  if bx == 0 then T.copy(s, C) end end))
go("view", T.macro(function(X, J, n, C, bx)
  local s = T.alloc_shared({128}, A) T.copy(X, s)
  local v = T.reshape(s, {2, 64})
  for i in T.Parallel(64) do v[0, i] = s[n + i] + 1 end
  if bx == 0 then T.copy(s, C) end end))
go("atomic and plain", T.macro(function(X, J, n, C, bx)
  local s = T.alloc_shared({128}, A) T.copy(X, s)
  for i in T.Parallel(64) do T.atomic_add(s[n], 1) s[i] = 3 end
  if bx == 0 then T.copy(s, C) end end))
io.stderr:write("\n")
-- ... and that do not for any
go("same offset", T.macro(function(X, J, n, C, bx)
  local s = T.alloc_shared({128}, A) T.copy(X, s)
  for i in T.Parallel(64) do s[i + n] = s[i + n] + 1 end
  if bx == 0 then T.copy(s, C) end end))
go("other tile", T.macro(function(X, J, n, C, bx)
  local s = T.alloc_shared({128}, A) T.copy(X, s)
  if bx == 0 then for i in T.Parallel(64) do C[i] = s[i + n] end for i in T.Parallel(64) do C[i + 64] = s[i] end end end))
go("guarded by scalar", T.macro(function(X, J, n, C, bx)
  local s = T.alloc_shared({128}, A) T.copy(X, s)
  for i in T.Parallel(64) do if i < n then s[i] = s[i] + 1 end end
  if bx == 0 then T.copy(s, C) end end))
go("rows by scalar", T.macro(function(X, J, n, C, bx)
  local s = T.alloc_shared({2, 64}, A) T.clear(s)
  for i in T.Parallel(64) do s[n % 2, i] = s[(n + 1) % 2, i] + 1 end
  if bx == 0 then for i, j in T.Parallel(2, 64) do C[i * 64 + j] = s[i, j] end end end))
go("ping pong in a loop", T.macro(function(X, J, n, C, bx)
  local s = T.alloc_shared({2, 64}, A) T.clear(s)
  for k in T.serial(n) do for i in T.Parallel(64) do s[(k + 1) % 2, i] = s[k % 2, 63 - i] + 1 end end
  if bx == 0 then for i, j in T.Parallel(2, 64) do C[i * 64 + j] = s[i, j] end end end))
go("one element", T.macro(function(X, J, n, C, bx)
  local s = T.alloc_shared({128}, A) T.copy(X, s)
  for i in T.Parallel(64) do if i == n then s[0] = 1 end end
  if bx == 0 then T.copy(s, C) end end))
go("rotated", T.macro(function(X, J, n, C, bx)
  local s = T.alloc_shared({128}, A) T.copy(X, s)
  for i in T.Parallel(128) do s[(i + n) % 128] = X[i] end
  if bx == 0 then T.copy(s, C) end end))
go("xor", T.macro(function(X, J, n, C, bx)
  local s = T.alloc_shared({128}, A) T.copy(X, s)
  for i in T.Parallel(128) do s[i ~ 3] = X[i] end
  if bx == 0 then T.copy(s, C) end end))
go("scalar in value only", T.macro(function(X, J, n, C, bx)
  local s = T.alloc_shared({128}, A) T.copy(X, s)
  for i in T.Parallel(128) do s[i] = X[(i * n + 3) % 128] + n end
  if bx == 0 then T.copy(s, C) end end))
go("outer loop scalar", T.macro(function(X, J, n, C, bx)
  local s = T.alloc_shared({128}, A) T.copy(X, s)
  for k in T.serial(n) do for i in T.Parallel(32) do s[k * 32 + i] = s[k * 32 + i] * 2 end end
  if bx == 0 then T.copy(s, C) end end))
