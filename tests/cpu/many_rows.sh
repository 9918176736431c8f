# Statements that go along the same long rows run together however many they are and however many
# tiles they touch; of many half floats that are converted first, all are, by shorter strips.
cat >"$TMP/many.lua" <<'END'
local N = 40
local rows = tl.jit(function(X, Y)
  X: T.Tensor({2, 4096}, "float32")
  Y: T.Tensor({2, 4096}, "float32")
  for _ in T.Kernel(1, {threads = 128}) do
    local t = {}
    for n = 1, N do t[n] = T.alloc_shared({2, 4096}, "float32") end
    T.copy(X, t[1])
    for n = 2, N do
      for i, j in T.Parallel(2, 4096) do t[n][i, j] = t[n - 1][i, j] + n end
    end
    T.copy(t[N], Y)
  end
end)
local function sum(X, j, n)
  return n == 0 and T.cast(X[0, j], "float32") or sum(X, j, n - 1) + T.cast(X[n, j], "float32")
end
local function halves(X, Y)
  X: T.Tensor({N, 4096}, "float16")
  Y: T.Tensor({4096}, "float32")
  for _ in T.Kernel(1, {threads = 128}) do
    for j in T.Parallel(4096) do
      Y[j] = sum(X, j, N - 1)
    end
  end
end
local function fused(X, Y)
  X: T.Tensor({N, 4096}, "float16")
  Y: T.Tensor({4096}, "float32")
  for _ in T.Kernel(1, {threads = 128}) do
    local t, u = T.alloc_shared({4096}, "float32"), T.alloc_shared({4096}, "float32")
    for j in T.Parallel(4096) do
      t[j] = sum(X, j, N - 1)
    end
    for j in T.Parallel(4096) do u[j] = t[j] * 2 end
    T.copy(u, Y)
  end
end
local x, y = tl.ones({2, 4096}, "float32"), tl.zeros({2, 4096}, "float32")
rows(x, y)
print(y:min(), y:max())
for _, f in ipairs {halves, fused} do
  local a, b = tl.ones({N, 4096}, "float16"), tl.zeros({4096}, "float32")
  tl.jit(f)(a, b)
  print(b:min(), b:max())
end
END
"$MOONTILE" -t cpu "$TMP/many.lua"
"$MOONTILE" compile --emit c -o "$TMP" "$TMP/many.lua" >/dev/null 2>&1
for k in rows halves fused; do
    echo "$k: $(grep -o 'lines [0-9]* to [0-9]* together' "$TMP/$k.c" | tr '\n' ' ')$(grep -c ' row_f16_f32(' "$TMP/$k.c")"
    grep -o 'for (int s.*) {' "$TMP/$k.c"
done
