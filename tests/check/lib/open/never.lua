-- Iterations that no condition lets happen, or one alone, meet nobody.
local function go(name, body)
  local k = tl.jit(function(A, n)
    A: T.Tensor({64}, "int32")
    n: T.int32
    local B = T.empty({4, 64}, "int32")
    for bx in T.Kernel(4, {threads = 64}) do
      body(A, B, bx, n)
    end
    return B
  end)
  print("==", name)
  k:compile(tl.zeros({64}, "int32"), 3)
end
go("range", T.macro(function(A, B, bx, n)
  local S = T.alloc_shared({64}, "int32")
  T.clear(S)
  for i in T.Parallel(64) do
    if i * 2 > 200 then S[A[i]] = i end
  end
  T.copy(S, B[bx, 0])
end))
go("block", T.macro(function(A, B, bx, n)
  local S = T.alloc_shared({64}, "int32")
  T.clear(S)
  if bx * bx > 9 then
    for i in T.Parallel(64) do S[A[i]] = i end
  end
  T.copy(S, B[bx, 0])
end))
go("modulo", T.macro(function(A, B, bx, n)
  local S = T.alloc_shared({64}, "int32")
  T.clear(S)
  for i in T.Parallel(64) do
    if (i * 2) % 2 == 1 then S[A[i]] = i end
  end
  T.copy(S, B[bx, 0])
end))
go("conjunction", T.macro(function(A, B, bx, n)
  local S = T.alloc_shared({64}, "int32")
  T.clear(S)
  for i in T.Parallel(64) do
    if i < 8 and i > 12 then S[A[i]] = i end
  end
  T.copy(S, B[bx, 0])
end))
go("nested", T.macro(function(A, B, bx, n)
  local S = T.alloc_shared({64}, "int32")
  T.clear(S)
  for i in T.Parallel(64) do
    if i < 8 then
      if i > 12 then S[A[i]] = i end
    end
  end
  T.copy(S, B[bx, 0])
end))
go("nested blocks", T.macro(function(A, B, bx, n)
  local S = T.alloc_shared({64}, "int32")
  T.clear(S)
  if bx < 2 then
    if bx > 2 then
      for i in T.Parallel(64) do S[A[i]] = i end
    end
  end
  T.copy(S, B[bx, 0])
end))
go("argument", T.macro(function(A, B, bx, n)
  local S = T.alloc_shared({64}, "int32")
  T.clear(S)
  if n > 3 and n < 2 then
    for i in T.Parallel(64) do S[A[i]] = i end
  end
  T.copy(S, B[bx, 0])
end))
go("one iteration", T.macro(function(A, B, bx, n)
  local S = T.alloc_shared({64}, "int32")
  T.clear(S)
  for i in T.Parallel(64) do
    if i == 5 then S[A[i]] = i end
  end
  T.copy(S, B[bx, 0])
end))
go("quantity", T.macro(function(A, B, bx, n)
  local S = T.alloc_shared({64}, "int32")
  T.clear(S)
  for i in T.Parallel(64) do
    if T.min(A[i], 3) > 3 then S[A[i]] = i end
  end
  T.copy(S, B[bx, 0])
end))
go("empty loop", T.macro(function(A, B, bx, n)
  local S = T.alloc_shared({64}, "int32")
  T.clear(S)
  for q in T.serial(bx // 4) do
    for i in T.Parallel(64) do S[A[i]] = i end
  end
  T.copy(S, B[bx, 0])
end))
go("may", T.macro(function(A, B, bx, n)
  local S = T.alloc_shared({64}, "int32")
  T.clear(S)
  for i in T.Parallel(64) do
    if i < 12 then S[A[i]] = i end
  end
  T.copy(S, B[bx, 0])
end))
