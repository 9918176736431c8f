-- A while loop that counts writes what a for loop would; others are left open.
local function go(name, body)
  local k = tl.jit(function(A)
    A: T.Tensor({64}, "int32")
    local B = T.empty({64}, "int32")
    for bx in T.Kernel(1, {threads = 64}) do
      body(A, B)
    end
    return B
  end)
  print("==", name)
  k:compile(tl.zeros({64}, "int32"))
end
go("local", T.macro(function(A, B)
  local W = T.alloc_local({16}, "int32")
  local n = T.alloc_var("int32", 0)
  while n < 16 do
    W[n] = A[n]
    n += 1
  end
  for i in T.serial(16) do B[i] = W[i] end
end))
go("shared", T.macro(function(A, B)
  local W = T.alloc_shared({16, 64}, "int32")
  local n = T.alloc_var("int32", 0)
  while n < 16 do
    for i in T.Parallel(64) do W[n, i] = A[i] + n end
    n += 1
  end
  for i in T.Parallel(64) do B[i] = W[i % 16, i] end
end))
go("output", T.macro(function(A, B)
  local n = T.alloc_var("int32", 0)
  while n < 64 do
    B[n] = A[n]
    n += 1
  end
end))
go("downwards", T.macro(function(A, B)
  local W = T.alloc_shared({64}, "int32")
  local n = T.alloc_var("int32", 63)
  while n >= 0 do
    W[n] = A[n]
    n -= 1
  end
  T.copy(W, B)
end))
go("fill", T.macro(function(A, B)
  local W = T.alloc_shared({64}, "int32")
  local n = T.alloc_var("int32", 0)
  while n < 4 do
    for i in T.Parallel(16) do W[n * 16 + i] = A[i] end
    n += 1
  end
  T.copy(W, B)
end))
go("halving", T.macro(function(A, B)
  local W = T.alloc_shared({64}, "int32")
  local n = T.alloc_var("int32", 64)
  while n > 0 do
    n = n // 2
    for i in T.Parallel(64) do if i >= n then W[i] = A[i] end end
  end
  T.copy(W, B)
end))
go("break", T.macro(function(A, B)
  local W = T.alloc_shared({16}, "int32")
  local n = T.alloc_var("int32", 0)
  while n < 16 do
    if A[n] > 5 then break end
    W[n] = A[n]
    n += 1
  end
  for i in T.Parallel(16) do B[i] = W[i] end
end))
go("step by data", T.macro(function(A, B)
  local W = T.alloc_shared({16}, "int32")
  local n = T.alloc_var("int32", 0)
  while n < 16 do
    W[n] = A[n]
    n += A[n]
  end
  for i in T.Parallel(16) do B[i] = W[i] end
end))
go("one short", T.macro(function(A, B)
  local W = T.alloc_shared({16}, "int32")
  local n = T.alloc_var("int32", 1)
  while n < 16 do
    W[n] = A[n]
    n += 1
  end
  for i in T.Parallel(16) do B[i] = W[i] end
end))
