# An index that stands behind the start of its row: (row + K) - K * i would leave 32 bits where
# row + (K - K * i) does not.  Short sums need no parentheses.
cat >"$TMP/rows.lua" <<'END'
local rows = tl.jit(function(A, W)
  local K = T.dynamic "K"
  A: T.Tensor({K}, T.int32)
  W: T.Tensor({16, 100000}, T.int32)
  for bx in T.Kernel(1, {threads = 32}) do
    for i in T.serial(2) do
      W[A[0] % 4 + 12, K - K * i] = 3
      W[3, i * 4 + 1 - i] = 4
    end
  end
end)
rows:compile()
END
"$MOONTILE" compile --emit c -o "$TMP" "$TMP/rows.lua" >/dev/null
grep -o 'W\[.*\] = .;' "$TMP/rows.c"
