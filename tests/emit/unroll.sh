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
