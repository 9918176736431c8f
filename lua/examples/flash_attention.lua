-- flash_attention.lua: O = softmax(Q K^T / sqrt(D)) V without ever storing the
-- S x S matrix of scores (Dao et al. 2022).
--
-- A block owns BM queries of one head and streams the keys and values by, BN
-- at a time.  The softmax is the online one of softmax.lua: when the running
-- maximum of a row grows, the sum l and the output gathered so far are scaled
-- down.  The traffic falls from S^2 to S^2 / BM numbers, so the matrix units
-- and not the memory become the limit.
--
--   causal   a query sees only keys up to its own position; blocks of keys
--            that lie wholly in its future are not even visited.  The last rows
--            have most to do, so they begin
--   GQA      H query heads share HKV key heads: head h reads h // (H // HKV)
--
--     moontile lua/examples/flash_attention.lua [small]
local ex = require "moontile.examples.frame"
local tuned = require "moontile.ops.attention"

local attention = tl.jit(function(Q, K, V, causal, BM, BN, THREADS, STAGES)
  local B, H, HKV, S, D = T.const "B, H, HKV, S, D"
  Q: T.Tensor({B, H, S, D}, T.float16)
  K: T.Tensor({B, HKV, S, D}, T.float16)
  V: T.Tensor({B, HKV, S, D}, T.float16)
  local O = T.empty({B, H, S, D}, T.float16)
  local scale = 1.4426950408889634 / math.sqrt(D)  -- log2(e): for exp2
  local rows = T.ceildiv(S, BM)
  for x, h, b in T.Kernel(rows, H, B, {threads = THREADS}) do
    local bx = causal and rows - 1 - x or x
    local Qs = T.alloc_shared({BM, D}, T.float16)
    local Ks = T.alloc_shared({BN, D}, T.float16)
    local Vs = T.alloc_shared({BN, D}, T.float16)
    local P = T.alloc_fragment({BM, BN}, T.float32)   -- scores, then weights
    local Ph = T.alloc_fragment({BM, BN}, T.float16)  -- the same for the 2nd gemm
    local acc = T.alloc_fragment({BM, D}, T.float32)
    local m = T.alloc_fragment({BM}, T.float32)
    local m_old = T.alloc_fragment({BM}, T.float32)
    local shrink = T.alloc_fragment({BM}, T.float32)
    local sum = T.alloc_fragment({BM}, T.float32)
    local l = T.alloc_fragment({BM}, T.float32)
    local hkv = h // (H // HKV)
    T.copy(Q[b, h, bx * BM, 0], Qs)
    T.clear(acc)
    T.clear(l)
    T.fill(m, -T.infinity(T.float32))
    local keys = S
    if causal then
      keys = T.min(S, (bx + 1) * BM)
    end
    for k in T.Pipelined(T.ceildiv(keys, BN), {num_stages = STAGES}) do
      T.copy(K[b, hkv, k * BN, 0], Ks)
      -- the mask is where the scores start from: -inf plus anything stays -inf
      for i, j in T.Parallel(BM, BN) do
        local key = k * BN + j
        local last = causal and T.min(S - 1, bx * BM + i) or S - 1
        P[i, j] = T.if_then_else(key <= last, 0, -T.infinity(T.float32))
      end
      T.gemm(Qs, Ks, P, {transpose_B = true, policy = T.GemmWarpPolicy.FullRow})
      T.copy(m, m_old)
      T.reduce_max(P, m, 1, false)
      for i in T.Parallel(BM) do
        shrink[i] = T.exp2((m_old[i] - m[i]) * scale)
      end
      for i, j in T.Parallel(BM, BN) do
        P[i, j] = T.exp2(P[i, j] * scale - m[i] * scale) -- one multiply-add
      end
      T.reduce_sum(P, sum, 1)
      for i in T.Parallel(BM) do
        l[i] = l[i] * shrink[i] + sum[i]
      end
      for i, j in T.Parallel(BM, D) do
        acc[i, j] *= shrink[i]
      end
      T.copy(P, Ph)
      T.copy(V[b, hkv, k * BN, 0], Vs)
      T.gemm(Ph, Vs, acc, {policy = T.GemmWarpPolicy.FullRow})
    end
    for i in T.Parallel(BM) do
      l[i] = 1 / l[i]
    end
    for i, j in T.Parallel(BM, D) do
      acc[i, j] *= l[i]
    end
    T.copy(acc, O[b, h, bx * BM, 0])
  end
  return O
end)

local function check(B, H, HKV, S, D, causal)
  local q = tl.randn({B, H, S, D}, "float16")
  local k = tl.randn({B, HKV, S, D}, "float16")
  local v = tl.randn({B, HKV, S, D}, "float16")
  local t = ex.small and {bm = 64, bn = 64, threads = 128, stages = 2} or
    tuned.config(D, causal) -- what this machine likes
  local o = attention(q, k, v, causal, t.bm, t.bn, t.threads, t.stages)
  local want = tl.ref.attention(q, k, v, {causal = causal})
  local what = ("%dx%d/%dx%dx%d%s"):format(B, H, HKV, S, D, causal and " causal" or "")
  -- The weights are rounded to float16, each by at most 2^-11 of itself, so the
  -- average of v moves by at most 2^-11 of the largest |v|, about 5; then the
  -- result is rounded.
  ex.close(what, o, want, {rtol = 2^-10, atol = 5 * 2^-11})
  local pairs_seen = causal and S * (S + 1) // 2 or S * S
  local kernel = attention:compile(q, k, v, causal, t.bm, t.bn, t.threads, t.stages)
  ex.time(what, {flop = 4 * B * H * D * pairs_seen}, kernel, q, k, v)
end

tl.manual_seed(10)
if ex.small then
  check(1, 4, 2, 77, 64, true)
  check(2, 2, 2, 65, 128, false)
else
  check(1, 8, 8, 1024, 64, false)
  check(1, 8, 8, 1024, 64, true)
  check(1, 8, 2, 1024, 128, false)
  check(1, 8, 2, 1024, 128, true)
  check(2, 6, 3, 577, 64, true)
end
