# What works on kernels here works on kernels there: check, peek, bench, tune, puzzles.
. lib/serve.sh
serve
cat >"$TMP/tools.lua" <<'END'
local matmul = tl.jit(function(A, B, BM, BN, BK)
  local M, N, K = T.const "M, N, K"
  A: T.Tensor({M, K}, T.float32)
  B: T.Tensor({K, N}, T.float32)
  local C = T.empty({M, N}, T.float32)
  for bx, by in T.Kernel(T.ceildiv(N, BN), T.ceildiv(M, BM), {threads = 128}) do
    local As = T.alloc_shared({BM, BK}, T.float32)
    local Bs = T.alloc_shared({BK, BN}, T.float32)
    local Cl = T.alloc_fragment({BM, BN}, T.float32)
    T.clear(Cl)
    for ko in T.Pipelined(T.ceildiv(K, BK), {num_stages = 2}) do
      T.copy(A[by * BM, ko * BK], As)
      T.copy(B[ko * BK, bx * BN], Bs)
      T.gemm(As, Bs, Cl)
    end
    T.copy(Cl, C[by * BM, bx * BN])
  end
  return C
end)
local a, b = tl.randn {32, 48}, tl.randn {48, 32}
local k = matmul:compile {M = 32, N = 32, K = 48, BM = 16, BN = 16, BK = 16}
local here = k:retarget "cpu"
print("the same bits", tl.equal(k(a, b), here(a, b)))
print("peek", tl.equal(k:peek("Cl", {block = {1, 0}, iteration = 1, inputs = {a, b}}),
  here:peek("Cl", {block = {1, 0}, iteration = 1, inputs = {a, b}})))
local r = k:bench {rounds = 5, inputs = {a, b}}
print("bench", r.runs, r.ms > 0, r.target:match "%-on=%S+", #r.device > 0)
local two = k:bench {rounds = 40, vs = matmul:compile {M = 32, N = 32, K = 48, BM = 32, BN = 32, BK = 16},
  inputs = {a, b}}
print("bench two", #two.times, two.ratio > 0)
print("explain", k:analyze().launches ~= nil, k:ir "thread" ~= nil)
local tuned = tl.autotune(matmul, {cache = false, configs = {{BM = 16, BN = 16, BK = 16},
  {BM = 32, BN = 16, BK = 16}, {BM = 32, BN = 32, BK = 48}}})
print("tune", tl.allclose(tuned(a, b), here(a, b), 1e-3, 1e-3), tuned.best.tuning.counts.tried)
END
"$MOONTILE" --lang en --connect "$URL" "$TMP/tools.lua" 2>&1 | brief
grep -c '"what": "bench"' "$TMP/serve.log" | sed 's/^[1-9][0-9]*$/timed there/'
echo "== puzzles"
mkdir "$TMP/night"
cp ../../puzzles/05-row-sum/solution.lua "$TMP/night/05-row-sum.lua"
cd "$TMP/night" || exit 1
"$MOONTILE" --lang en puzzles run 5 --connect "$URL" 2>&1 | head -n 2
"$MOONTILE" --lang en puzzles check-all --connect "$URL" --json | grep '"puzzle": "row-sum"' | grep -o -e '^{.*"ok": true, "outcome": "ok"' | sed "s/\"ms\": [0-9.]*, //"
grep -c '"what": "launch"' "$TMP/serve.log" | sed 's/^[1-9][0-9]*$/run there/'
