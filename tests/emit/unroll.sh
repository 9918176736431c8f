# Unrolled loops of the cpu target: whole, by a factor, and as far as gcc is asked to go.
cat >"$TMP/k.lua" <<'X'
local k = tl.jit(function(A)
  A: T.Tensor({1000}, "float32")
  local B = T.empty({1000}, "float32")
  for _ in T.Kernel(1) do
    for i in T.unroll(8) do B[i] = A[i] end
    for i in T.unroll(100, {unroll_factor = 4}) do B[8 + i] = A[i] end
    for i in T.unroll(892) do B[108 + i] = A[i] end
  end
  return B
end)
print(k(tl.ones({1000}, "float32")):item(999))
X
"$MOONTILE" -t cpu "$TMP/k.lua"
"$MOONTILE" compile "$TMP/k.lua" --emit c -t cpu -o "$TMP" >/dev/null 2>&1
grep -h '#pragma GCC unroll' "$TMP"/k*.c
# Loops in each other are whole only as far as all copies together are few; the inner ones first.
cat >"$TMP/nest.lua" <<'X'
local k = tl.jit(function(A)
  A: T.Tensor({64, 64}, "float32")
  local B = T.empty({64, 64}, "float32")
  for _ in T.Kernel(1) do
    T.copy(A, B)
    local s = T.alloc_shared({16, 16}, "float32")
    for i in T.unroll(0, 48, 2) do
      for j in T.unroll(0, 48, 2) do
        T.copy(A[{i, j}], s)
        T.copy(s, B[{i, j}])
      end
    end
    for i in T.unroll(16) do
      for j in T.unroll(16) do B[i, j] = B[i, j] * 2 end
    end
  end
  return B
end)
print(k(tl.ones({64, 64}, "float32")):sum())
X
"$MOONTILE" -t cpu "$TMP/nest.lua"
"$MOONTILE" compile "$TMP/nest.lua" --emit c -t cpu -o "$TMP/nest" >/dev/null 2>&1
grep -h -A 1 '#pragma GCC unroll' "$TMP"/nest/*.c
