# What the cpu target says of kernels that leave something out, or divide by zero.
cat >"$TMP/begins.lua" <<'END'
local twice = tl.jit(function(A)
  local N = T.const "N"
  A: T.Tensor({N}, T.float32)
  local C = T.empty({N}, T.float32)
  for bx in T.Kernel(T.ceildiv(N, 64)) do
    for i = 1, 64 do
      C[bx * 64 + i] = A[bx * 64 + i] * 2
    end
  end
  return C
end)
print(twice(tl.arange(200, "float32")))
END
cat >"$TMP/ends.lua" <<'END'
local copy = tl.jit(function(A)
  local M, N = T.const "M, N"
  A: T.Tensor({M, N}, T.float16)
  local C = T.empty({M, N}, T.float16)
  for bx, by in T.Kernel(T.ceildiv(N, 64), M // 32) do
    T.copy(A[by * 32, bx * 64], C[by * 32 : by * 32 + 32, bx * 64 : bx * 64 + 64])
  end
  return C
end)
print(copy(tl.ones({64, 100}, "float16")):sum())
print(copy(tl.ones({70, 100}, "float16")))
END
cat >"$TMP/some.lua" <<'END'
local positive = tl.jit(function(A)
  local N = T.dynamic "N"
  A: T.Tensor({N}, T.int8)
  local C, D = T.empty({N}, T.int8), T.empty({N}, T.int32)
  for bx in T.Kernel(T.ceildiv(N, 64)) do
    for i in T.Parallel(64) do
      if A[bx * 64 + i] > 0 then
        C[bx * 64 + i] = A[bx * 64 + i]
      end
      D[bx * 64 + i] = T.max(A[bx * 64 + i], 0)
    end
  end
  return C, D
end)
print(positive(tl.ones({70}, "int8")))
print(positive(tl.arange(-3, 70, "int8")))
END
# Zeros that are written, prints (once each), and tensors that the caller gave.
cat >"$TMP/right.lua" <<'END'
local relu = tl.jit(function(A)
  local N = T.const "N"
  A: T.Tensor({N}, T.float32)
  local C = T.empty({N}, T.float32)
  for bx in T.Kernel(T.ceildiv(N, 64)) do
    T.print(bx, "block")
    for i in T.Parallel(64) do
      C[bx * 64 + i] = T.max(A[bx * 64 + i], 0)
    end
  end
  return C
end)
print(relu(tl.arange(-66, 4, "float32"):astype("float32")):sum())
local touch = tl.compile(T.prim_func(function(A, B)
  A: T.Tensor({8}, T.int32)
  B: T.Tensor({8}, T.int32)
  for bx in T.Kernel(1) do
    A[0] = A[0] + 1
    B[1] = A[0]
  end
end))
local A, B = tl.zeros({8}, "int32"), tl.zeros({8}, "int32")
touch(A, B)
print(A, B)
END
cat >"$TMP/zero.lua" <<'END'
local quotients = tl.jit(function(A, B, m)
  local N = T.const "N"
  A: T.Tensor({N}, T.int32)
  B: T.Tensor({N}, T.int32)
  m: T.int32
  local C, D = T.empty({N}, T.int32), T.empty({N}, T.int32)
  for bx in T.Kernel(T.ceildiv(N, 64)) do
    local a, b = T.alloc_fragment({64}, T.int32), T.alloc_fragment({64}, T.int32)
    T.copy(A[bx * 64], a)
    T.copy(B[bx * 64], b)
    for i in T.Parallel(64) do
      a[i] = a[i] // b[i]
    end
    T.copy(a, C[bx * 64])
    for i in T.Parallel(64) do
      D[bx * 64 + i] = T.if_then_else(m == 0, 7, A[bx * 64 + i] % m)
        + A[bx * 64 + i] // B[bx * 64 + i]
    end
  end
  return C, D
end)
local least = tl.full({4}, -2147483648, "int32")
print(quotients(least, tl.full({4}, -1, "int32"), 0))
print(quotients(least, tl.full({4}, 3, "int32"), -1))
print(quotients(least, tl.zeros({4}, "int32"), 0))
print(quotients(least, tl.zeros({4}, "int32"), 0))
END
# A tile that fits whole holds no padding; the rest of one that does not is nobody's mistake.
cat >"$TMP/tiles.lua" <<'END'
local function divided(size, scope)
  return tl.compile(T.prim_func(function(A, B, C)
    A: T.Tensor({size}, T.int32)
    B: T.Tensor({size}, T.int32)
    C: T.Tensor({size}, T.int32)
    for bx in T.Kernel(2) do
      local a, b = T.alloc_fragment({16}, T.int32), T[scope]({16}, T.int32)
      local v = T.alloc_var(T.int32)
      T.copy(A[bx * 16], a)
      T.copy(B[bx * 16], b)
      for i in T.serial(16) do
        v = b[i]
        a[i] = a[i] // v
      end
      for i in T.Parallel(16) do
        a[i] = a[i] % b[i]
      end
      T.copy(a, C[bx * 16])
    end
  end))
end
for _, size in ipairs {32, 31} do
  for _, scope in ipairs {"alloc_shared", "alloc_fragment"} do
    local C = tl.zeros({size}, "int32")
    local b = tl.full({size}, 2, "int32")
    divided(size, scope)(tl.full({size}, 7, "int32"), b, C)
    print(size, scope, C:item(size - 1))
    divided(size, scope)(tl.full({size}, 7, "int32"), tl.zeros({size}, "int32"), C)
    print(size, scope, C:item(size - 1))
  end
end
END
cd "$TMP" || exit 1
for f in begins ends some right zero tiles; do
  echo "== $f"
  "$MOONTILE" -t cpu $f.lua 2>&1
  echo "status $?"
done
"$MOONTILE" -t cpu --lang zh begins.lua 2>&1
"$MOONTILE" -t cpu --lang zh zero.lua 2>&1 | grep -v '^\['
