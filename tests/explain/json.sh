# k:explain{json = true} is JSON, with the same facts.
cat >"$TMP/k.lua" <<'EOF'
local k = tl.compile(T.prim_func(function(A, C)
  A: T.Tensor({256}, T.float32)
  C: T.Tensor({256}, T.float32)
  for bx in T.Kernel(2, {threads = 32}) do
    for i in T.Parallel(128) do
      C[bx * 128 + i] = A[bx * 128 + i] * 2
    end
  end
end))
k:explain {json = true, target = "sim -arch=c500"}
EOF
cd "$TMP"
"$MOONTILE" k.lua | tr ',' '\n' | sed 's/^ //'
