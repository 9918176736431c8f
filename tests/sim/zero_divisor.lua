-- A division of integers by zero is told with its line, by lanes that are on; what a condition guards, what is behind
-- the end of a tensor and what is known not to be zero stay silent.
tl.set_target "sim"

local function run(name, body, n, value)
  print("== " .. name)
  local N = n or 64
  local kernel = tl.jit(function(A, B, m)
    A: T.Tensor({N}, T.int32)
    B: T.Tensor({N}, T.int32)
    m: T.int32
    local C = T.empty({N}, T.int32)
    for bx in T.Kernel(T.ceildiv(N, 64), {threads = 64}) do
      body(A, B, C, m, bx)
    end
    return C
  end)
  local b = tl.full({N}, 3, "int32")
  b[N - 3] = value or 0
  local c = kernel(tl.full({N}, -2147483648, "int32"), b, 0)
  print(c:item(N - 4), c:item(N - 3))
end

run("elements", T.macro(function(A, B, C, m, bx)
  for i in T.Parallel(64) do
    C[i] = A[i] // B[i]
  end
end))
run("remainders, once", T.macro(function(A, B, C, m, bx)
  for k in T.serial(3) do
    for i in T.Parallel(64) do
      C[i] = A[i] % B[i]
    end
  end
end))
run("a scalar", T.macro(function(A, B, C, m, bx)
  for i in T.Parallel(64) do
    C[i] = i // m
  end
end))
run("least by -1", T.macro(function(A, B, C, m, bx)
  for i in T.Parallel(64) do
    C[i] = T.truncdiv(A[i], B[i])
  end
end), 64, -1)
run("guarded", T.macro(function(A, B, C, m, bx)
  local s, f = T.alloc_shared({64}, T.int32), T.alloc_fragment({64}, T.int32)
  T.copy(B, s)
  T.copy(B, f)
  for i in T.Parallel(64) do
    C[i] = T.if_then_else(B[i] ~= 0, A[i] // B[i], 7) + (m ~= 0 and i // m or 2)
  end
  for i in T.Parallel(64) do
    if s[i] ~= 0 and A[i] // s[i] < 0 then
      C[i] = C[i] + T.Select(i > 0, A[i] % T.max(f[i], 1), 0)
    end
  end
  for i in T.vectorized(8) do
    C[i] = C[i] + T.if_then_else(i > 4, 8 // (i - 4), 0)
  end
  if m ~= 0 then
    for i in T.Parallel(64) do C[i] = A[i] // m + i // (bx + 1) end
  end
end))
run("a guard that lets zero through", T.macro(function(A, B, C, m, bx)
  for i in T.Parallel(64) do
    C[i] = T.if_then_else(B[i] < 1, A[i] // B[i], 7)
  end
end))
run("a ragged tile", T.macro(function(A, B, C, m, bx)
  local a, b = T.alloc_fragment({64}, T.int32), T.alloc_fragment({64}, T.int32)
  T.copy(A[bx * 64], a)
  T.copy(B[bx * 64], b)
  for i in T.Parallel(64) do
    C[bx * 64 + i] = A[bx * 64 + i] // B[bx * 64 + i]
    a[i] = a[i] // b[i]
  end
  T.copy(a, C[bx * 64])
end), 100, 5)
run("a loop's variable", T.macro(function(A, B, C, m, bx)
  for k in T.serial(2) do
    for i in T.Parallel(64) do
      C[i] = (i + 5) // k
    end
  end
end))
