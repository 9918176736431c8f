-- Loops without rounds, loops that are left, sizes of tensors of which few are tried.
local I = "int32"
local function go(name, body)
  io.stderr:write("== ", name, "\n")
  tl.jit(function(A, n)
    local m = T.dynamic "m"
    A: T.Tensor({m}, I)
    n: T.int32
    local B = T.empty({32}, I)
    for bx in T.Kernel(2, {threads = 32}) do
      local S = T.alloc_shared({16}, I)
      body(A, n, m, S, bx)
      for o in T.Parallel(16) do B[bx * 16 + o] = S[o] end
    end
    return B
  end):compile{}
end
go("none in block 0", T.macro(function(A, n, m, S, bx) for j = 0, bx - 1 do T.copy(A[0:16], S) end end))
go("none for n = 0", T.macro(function(A, n, m, S, bx) for j in T.serial(n) do T.clear(S) end end))
go("none at all", T.macro(function(A, n, m, S, bx)
  for j in T.serial(bx, bx) do for k in T.Parallel(16) do S[k] = A[k] end end end))
go("some for all n", T.macro(function(A, n, m, S, bx)
  T.assume(n > 0) for j in T.serial(n) do T.clear(S) end end))
go("as many as the tensor has", T.macro(function(A, n, m, S, bx)
  for j in T.Parallel(16) do if j < m then S[j] = A[j] end end end))
go("for large tensors", T.macro(function(A, n, m, S, bx) if m > 16 then T.clear(S) end end))
go("for multiples", T.macro(function(A, n, m, S, bx) if m % 16 == 0 then T.clear(S) end end))
go("for all sizes", T.macro(function(A, n, m, S, bx)
  for j in T.Parallel(16) do if j < m then S[j] = A[j] else S[j] = 0 end end end))
go("for both of a condition", T.macro(function(A, n, m, S, bx)
  for j in T.Parallel(16) do
    if A[j] > 2 then S[j] = 1 end
    if not (A[j] > 2) then S[j] = 2 end
  end end))
go("races for small tensors", T.macro(function(A, n, m, S, bx)
  T.clear(S) for j in T.Parallel(16) do if j < m + 3 then S[T.min(j, m)] = j end end end))
for _, c in ipairs {"k == 3", "k >= n", "A[k] > 5"} do
  go("left where " .. c, load(([[return T.macro(function(A, n, m, S, bx)
    for k in T.serial(16) do
      S[k] = A[k]
      if %s then break end
    end end)]]):format(c), "=left")())
end
go("left behind a whole write", T.macro(function(A, n, m, S, bx)
  for k in T.serial(16) do
    T.clear(S)
    if A[k] > 5 then break end
  end end))
go("far from the end", T.macro(function(A, n, m, S, bx)
  for a in T.serial(2147483647) do for c in T.serial(n) do S[(a + c) % 16] = 1 end end end))
io.stderr:write("== two values, of one block and of all\n")
tl.jit(function(A)
  A: T.Tensor({16}, I)
  local B, W = T.empty({16}, I), T.alloc_global({16}, I)
  for bx in T.Kernel(2, {threads = 64}) do
    for w in T.Parallel(16) do W[w] = 8 end
    if bx == 0 then W[9] = 5 end
    for o in T.Parallel(8) do B[bx * 8 + o] = W[bx * 8 + o] end
  end
  return B
end):compile{}
io.stderr:write("== as many blocks as an argument says\n")
tl.jit(function(A, B, n)
  A: T.Tensor({256}, I)
  B: T.Tensor({256}, I)
  n: T.int32
  for bx in T.Kernel(n) do
    for i in T.Parallel(64) do B[i] = A[i] + bx end
  end
end):compile{}
