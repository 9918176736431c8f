-- Attention as its users write it: masks before and behind the product, ragged
-- sizes, groups of query heads, one to three warp groups, walks over tiles.
local conform = dofile "lib/conform.lua"
tl.manual_seed(4)
if not os.getenv "MOONTILE_CONFORM" then -- where products are asynchronous, and where not
  conform.targets = {"sim -arch=sm_90a", "sim -arch=sm_80"}
end

local function attention(o)
  local BM, BN = o.BM or 64, o.BN or 64
  return tl.jit(function(Q, K, V)
    local H, G, S, D = T.const "H, G, S, D"
    Q: T.Tensor({H, S, D}, T.float16)
    K: T.Tensor({G, S, D}, T.float16)
    V: T.Tensor({G, S, D}, T.float16)
    local O = T.empty({H, S, D}, T.float16)
    local scale = 1.4426950408889634 / math.sqrt(D)
    local blocks = T.ceildiv(S, BM)
    local workers = o.walk and math.min(2, blocks * H) or blocks * H
    for w in T.Kernel(workers, {threads = o.threads or 128}) do
      local Qs = T.alloc_shared({BM, D}, T.float16)
      local Ks, Vs = T.alloc_shared({BN, D}, T.float16), T.alloc_shared({BN, D}, T.float16)
      local P, Ph = T.alloc_fragment({BM, BN}, T.float32), T.alloc_fragment({BM, BN}, T.float16)
      local acc = T.alloc_fragment({BM, D}, T.float32)
      local m, old = T.alloc_fragment({BM}, T.float32), T.alloc_fragment({BM}, T.float32)
      local shrink = T.alloc_fragment({BM}, T.float32)
      local sum, l = T.alloc_fragment({BM}, T.float32), T.alloc_fragment({BM}, T.float32)
      for round in T.serial(T.ceildiv(blocks * H - w, workers)) do
        local tile = round * workers + w
        local bx, h = blocks - 1 - tile % blocks, tile // blocks
        T.copy(Q[h, bx * BM, 0], Qs)
        T.clear(acc)
        T.clear(l)
        T.fill(m, -T.infinity(T.float32))
        local keys = o.causal and T.min(S, (bx + 1) * BM) or S
        for k in T.Pipelined(T.ceildiv(keys, BN), {num_stages = o.stages or 2}) do
          T.copy(K[h // (H // G), k * BN, 0], Ks)
          if o.behind then
            T.clear(P)
          else
            for i, j in T.Parallel(BM, BN) do
              local last = o.causal and T.min(S - 1, bx * BM + i) or S - 1
              P[i, j] = T.if_then_else(k * BN + j <= last, 0, -T.infinity(T.float32))
            end
          end
          T.gemm(Qs, Ks, P, {transpose_B = true, policy = T.GemmWarpPolicy.FullRow})
          if o.behind then
            for i, j in T.Parallel(BM, BN) do
              local seen = k * BN + j < S
              if o.causal then
                seen = (k * BN + j < S) and (k * BN + j <= bx * BM + i)
              end
              P[i, j] = T.if_then_else(seen, P[i, j], -T.infinity(T.float32))
            end
          end
          T.copy(m, old)
          T.reduce_max(P, m, 1, false)
          for i in T.Parallel(BM) do
            shrink[i] = T.exp2(old[i] * scale - m[i] * scale)
          end
          for i, j in T.Parallel(BM, BN) do
            P[i, j] = T.exp2(P[i, j] * scale - m[i] * scale)
          end
          T.reduce_sum(P, sum, 1)
          for i in T.Parallel(BM) do
            l[i] = l[i] * shrink[i] + sum[i]
          end
          T.copy(P, Ph)
          for i, j in T.Parallel(BM, D) do
            acc[i, j] *= shrink[i]
          end
          T.copy(V[h // (H // G), k * BN, 0], Vs)
          T.gemm(Ph, Vs, acc, {policy = T.GemmWarpPolicy.FullRow})
        end
        for i, j in T.Parallel(BM, D) do
          acc[i, j] /= l[i]
        end
        T.copy(acc, O[h, bx * BM, 0])
      end
    end
    return O
  end)
end

local function check(name, o, H, G, S, D)
  local q = tl.randn({H, S, D}, "float16")
  local k, v = tl.randn({G, S, D}, "float16"), tl.randn({G, S, D}, "float16")
  local want = tl.ref.attention(q:reshape {1, H, S, D}, k:reshape {1, G, S, D},
    v:reshape {1, G, S, D}, {causal = o.causal}):reshape {H, S, D}
  conform.case(name, attention(o), {}, {q, k, v}, {want}, {rtol = 2^-10, atol = 5 * 2^-11})
end

for _, causal in ipairs {false, true} do
  local c = causal and "causal " or ""
  for _, S in ipairs {1, 65, 192} do
    check(c .. S, {causal = causal}, 1, 1, S, 64)
  end
  check(c .. "behind 130", {causal = causal, behind = true}, 1, 1, 130, 64)
  check(c .. "groups of heads", {causal = causal}, 4, 2, 100, 64)
  check(c .. "wide keys", {causal = causal, BN = 96}, 1, 1, 192, 64)
  check(c .. "narrow keys", {causal = causal, BN = 32}, 1, 1, 150, 64)
  check(c .. "one stage", {causal = causal, stages = 1}, 1, 1, 200, 64)
  check(c .. "three stages", {causal = causal, stages = 3}, 1, 1, 300, 64)
  check(c .. "two groups", {causal = causal, BM = 128, threads = 256}, 2, 1, 300, 64)
  check(c .. "three groups", {causal = causal, BM = 192, threads = 384}, 1, 1, 400, 64)
  check(c .. "walk", {causal = causal, walk = true}, 2, 2, 200, 64)
  check(c .. "walk by two groups", {causal = causal, walk = true, BM = 128, threads = 256,
    behind = true}, 2, 1, 400, 64)
end
check("d 128, two groups", {BM = 128, BN = 128, threads = 256, causal = true}, 1, 1, 300, 128)
conform.done()
