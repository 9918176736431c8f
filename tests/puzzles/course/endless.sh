# A kernel whose loop goes on for too long: the hint is about loops, not barriers alone.
small=$PWD/lib/small
cd "$TMP" || exit 1
"$MOONTILE" puzzles init moon --from "$small" >init.txt || exit 1
cd moon || exit 1
cat >01-copy.lua <<'END'
copy = tl.jit(function(A)
  local N = T.const "N"
  A: T.Tensor({N}, T.float32)
  local B = T.empty({N}, T.float32)
  for bx in T.Kernel(T.ceildiv(N, 32), {threads = 32}) do
    for k in T.serial(1000000000) do
      for i in T.Parallel(32) do
        B[bx * 32 + i] = A[bx * 32 + i] + k
      end
    end
  end
  return B
end)
END
MOONTILE_TIME_LIMIT=1 timeout 300 "$MOONTILE" puzzles run copy -t sim </dev/null | head -n 2
MOONTILE_TIME_LIMIT=1 timeout 300 "$MOONTILE" puzzles run copy -t sim --lang zh </dev/null | head -n 2
