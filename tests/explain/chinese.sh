# The same text in Chinese, and what is refused.
cat >"$TMP/k.lua" <<'EOF'
local k = tl.compile(T.prim_func(function(A, C)
  A: T.Tensor({256}, T.float32)
  C: T.Tensor({256}, T.float32)
  for bx in T.Kernel(2, {threads = 32}) do
    local S = T.alloc_shared({128}, T.float32)
    for i in T.Parallel(64) do
      S[i * 2] = A[bx * 128 + i]
    end
    for i in T.Parallel(64) do
      C[bx * 128 + i] = S[i * 2] + 1
    end
  end
end))
k:explain {target = "sim -arch=sm_90a", card = "H200"}
print(pcall(k.explain, k, {card = "H2000"}))
print(pcall(k.explain, k, {target = "cpu"}))
print(pcall(k.explain, k, {cards = "H200"}))
EOF
cd "$TMP"
"$MOONTILE" --lang zh k.lua 2>&1
"$MOONTILE" --lang en k.lua 2>&1
