# Ctrl-C keeps the best so far.
cat >"$TMP/k.lua" <<'EOF'
local f = tl.jit(function(A, BN, wait)
  A: T.Tensor({4096}, T.float32)
  local C = T.empty({4096}, T.float32)
  for bx in T.Kernel(T.ceildiv(4096, BN), {threads = 32}) do
    for i in T.Parallel(BN) do
      C[bx * BN + i] = A[bx * BN + i] + wait
    end
  end
  return C
end)
local configs = {}
for i = 0, 2000 do
  configs[i + 1] = {BN = 32, wait = i}
end
local k = f:compile {BN = 32, wait = 0}
local best = k:tune {budget = "60s", space = configs, rep = 5, cache = false,
  skip_check = true}
print("ended", best.tuning.ended, best.latency > 0, best.tuned.BN)
EOF
export MOONTILE_CACHE_DIR="$TMP/cache" # of its own: what is in it tells how far it is
"$MOONTILE" "$TMP/k.lua" &
pid=$!
n=0
until [ "$(ls "$TMP"/cache/*.so 2>/dev/null | wc -l)" -ge 20 ] || [ $n = 3000 ]; do
    n=$((n + 1))
    sleep 0.05
done
kill -INT $pid
wait $pid
echo "status $?"
