-- ops/attention.lua: softmax(Q K^T scale) V, without the matrix of scores.
--
--     o = ops.flash_attention(q, k, v, {is_causal = true})    [B, H, S, D]
--
-- lua/examples/flash_attention.lua tells how it works; this is the same kernel
-- with the tiles that a machine likes.  Fewer heads of k and v than of q share
-- them in groups.  The mask of is_causal ends at the last query and the last key:
-- queries that follow a cache of keys see all of it.  One that sees no key gives
-- zeros.
local config = require "moontile.ops.config"
local tl = require "moontile.tl"
local T = require "moontile.T"

local M = {}

-- By machine, the dimension of a head and whether the mask is causal: queries
-- and keys of a tile, threads, stages of the rings.
M.rows = {
  sm_90a = {
    {d = 64, causal = true, bm = 192, bn = 96, threads = 384, stages = 2},
    {d = 64, bm = 192, bn = 128, threads = 384, stages = 2},
    {d = 128, causal = true, bm = 128, bn = 128, threads = 256, stages = 2},
    {d = 128, bm = 128, bn = 128, threads = 256, stages = 2},
    {d = 256, bm = 128, bn = 64, threads = 256, stages = 2},
  },
  gpu = {
    {d = 64, bm = 64, bn = 64, threads = 128, stages = 2},
    {d = 256, bm = 64, bn = 32, threads = 128, stages = 2},
  },
  cpu = {{d = 256, bm = 64, bn = 64, threads = 128, stages = 2}},
}

local attention = tl.jit(function(Q, K, V, scale, causal, dtype, BM, BN, STAGES, THREADS)
  local B, H, HKV, SQ, S, D = T.const "B, H, HKV, SQ, S, D"
  Q: T.Tensor({B, H, SQ, D}, dtype)
  K: T.Tensor({B, HKV, S, D}, dtype)
  V: T.Tensor({B, HKV, S, D}, dtype)
  local O = T.empty({B, H, SQ, D}, dtype)
  local c = scale * 1.4426950408889634 -- log2(e): for exp2
  local rows = T.ceildiv(SQ, BM)
  local past = S - SQ -- keys in front of the first query
  local blind = causal and past < 0 -- some queries see no key
  for x, h, b in T.Kernel(rows, H, B, {threads = THREADS}) do
    local bx = causal and rows - 1 - x or x -- the longest rows first
    local Qs = T.alloc_shared({BM, D}, dtype)
    local Ks = T.alloc_shared({BN, D}, dtype)
    local Vs = T.alloc_shared({BN, D}, dtype)
    local P = T.alloc_fragment({BM, BN}, T.float32)
    local Ph = T.alloc_fragment({BM, BN}, dtype)
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
    T.fill(m, blind and -1e30 or -T.infinity(T.float32))
    local keys = causal and T.min(S, (bx + 1) * BM + past) or S
    if blind then keys = T.max(keys, 0) end
    for k in T.Pipelined(T.ceildiv(keys, BN), {num_stages = STAGES}) do
      T.copy(K[b, hkv, k * BN, 0], Ks)
      for i, j in T.Parallel(BM, BN) do
        local key = k * BN + j
        local last = causal and T.min(S - 1, bx * BM + i + past) or S - 1
        P[i, j] = T.if_then_else(key <= last, 0, -T.infinity(T.float32))
      end
      T.gemm(Qs, Ks, P, {transpose_B = true, policy = T.GemmWarpPolicy.FullRow})
      T.copy(m, m_old)
      T.reduce_max(P, m, 1, false)
      for i in T.Parallel(BM) do
        shrink[i] = T.__exp2((m_old[i] - m[i]) * c)
      end
      for i, j in T.Parallel(BM, BN) do
        P[i, j] = T.__exp2(P[i, j] * c - m[i] * c)
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
      l[i] = blind and T.if_then_else(l[i] > 0, 1 / l[i], 0) or 1 / l[i]
    end
    for i, j in T.Parallel(BM, D) do
      acc[i, j] *= l[i]
    end
    T.copy(acc, O[b, h, bx * BM, 0])
  end
  return O
end)

-- The first row whose head dimension is enough.
function M.config(d, causal)
  local rows = config.pick(M.rows)
  for _, r in ipairs(rows) do
    if d <= r.d and (r.causal == nil or r.causal == causal) then
      return r
    end
  end
  return rows[#rows]
end

-- The compiled kernel.  shape: {b =, h =, hkv =, sq =, s =, d =}; opts:
-- is_causal, scale, config (as a row of M.rows).
function M.kernel(shape, dtype, opts)
  opts = opts or {}
  local causal = opts.is_causal or false
  local c = opts.config or M.config(shape.d, causal)
  local scale = opts.scale or 1 / math.sqrt(shape.d)
  return attention:compile {B = shape.b, H = shape.h, HKV = shape.hkv or shape.h,
    SQ = shape.sq or shape.s, S = shape.s, D = shape.d, scale = scale, causal = causal,
    dtype = dtype, BM = c.bm, BN = c.bn, STAGES = c.stages, THREADS = c.threads}
end

function M.flash_attention(q, k, v, opts)
  local s, z = q.shape, k.shape
  local shape = {b = s[1], h = s[2], hkv = z[2], sq = s[3], s = z[3], d = s[4]}
  return M.kernel(shape, q.dtype, opts)(q, k, v)
end

return M
