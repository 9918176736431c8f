# Blocks whose indices are no sums: of few all are compared; of many it is said once how many were,
# on targets where nothing finds out when the kernel runs.
for n in 100 300000; do
    cat >"$TMP/b$n.lua" <<EOF
local f = tl.jit(function(A, B)
  A: T.Tensor({$n}, T.int32)
  B: T.Tensor({$n}, T.int32)
  for bx in T.Kernel($n, {threads = 32}) do
    A[T.if_then_else(bx == 123, 100, bx)] = bx
    B[T.if_then_else(bx == 12345, 777, bx)] = bx
  end
end)
f(tl.zeros({$n}, "int32"), tl.zeros({$n}, "int32"))
EOF
    cd "$TMP"
    for t in cpu sim; do
        echo "--- $n blocks, $t"
        "$MOONTILE" -t $t b$n.lua 2>&1
    done
done
"$MOONTILE" --lang zh b300000.lua
