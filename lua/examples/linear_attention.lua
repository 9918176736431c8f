-- linear_attention.lua: causal attention without the softmax,
--     o_t = scale * sum_{s <= t} (q_t . k_s) v_s
-- which needs no look back at all: S_t = sum_{s <= t} k_s v_s^T is a D x D
-- state, and o_t = scale * q_t S_t.  Time and memory grow with the length, not
-- with its square; RetNet, GLA and Mamba-2 are this with a decay.
--
-- Step by step it would be a chain of tiny outer products.  In chunks of C
-- tokens it is four matrix products a chunk: inside the chunk the quadratic
-- form with a triangular mask, from all earlier chunks the state:
--     O = ((Q K^T) * mask) V + Q S,   then   S += K^T V
--
--     moontile lua/examples/linear_attention.lua [small]
local ex = require "moontile.examples.frame"

local attention = tl.jit(function(Q, K, V, C, BV)
  local B, H, L, D, DV = T.const "B, H, L, D, DV"
  Q: T.Tensor({B, H, L, D}, T.float16)
  K: T.Tensor({B, H, L, D}, T.float16)
  V: T.Tensor({B, H, L, DV}, T.float16)
  local O = T.empty({B, H, L, DV}, T.float16)
  for bv, h, b in T.Kernel(T.ceildiv(DV, BV), H, B, {threads = 128}) do
    local Qs = T.alloc_shared({C, D}, T.float16)
    local Ks = T.alloc_shared({C, D}, T.float16)
    local Vs = T.alloc_shared({C, BV}, T.float16)
    local A = T.alloc_fragment({C, C}, T.float32)
    local As = T.alloc_shared({C, C}, T.float16)
    local S = T.alloc_fragment({D, BV}, T.float32)    -- the state
    local Ss = T.alloc_shared({D, BV}, T.float16)     -- and a copy to multiply by
    local o = T.alloc_fragment({C, BV}, T.float32)
    T.clear(S)
    for c in T.Pipelined(T.ceildiv(L, C), {num_stages = 2}) do
      T.copy(Q[b, h, c * C, 0], Qs)
      T.copy(K[b, h, c * C, 0], Ks)
      T.copy(V[b, h, c * C, bv * BV], Vs)
      T.gemm(Qs, Ks, A, {transpose_B = true, clear_accum = true})
      for i, j in T.Parallel(C, C) do
        As[i, j] = j <= i and A[i, j] or 0
      end
      T.gemm(As, Vs, o, {clear_accum = true})
      T.copy(S, Ss)
      T.gemm(Qs, Ss, o)
      T.gemm(Ks, Vs, S, {transpose_A = true})
      for i, j in T.Parallel(C, BV) do
        o[i, j] *= 1 / D                              -- the scale
      end
      T.copy(o, O[b, h, c * C, bv * BV])
    end
  end
  return O
end)

local function check(B, H, L, D, DV)
  local q = tl.randn({B, H, L, D}, "float16")
  local k = tl.randn({B, H, L, D}, "float16")
  local v = tl.randn({B, H, L, DV}, "float16")
  local o = attention(q, k, v, 64, 64)
  local want = tl.ref.linear_attention(q, k, v, {scale = 1 / D})
  local what = ("%dx%dx%dx%d/%d"):format(B, H, L, D, DV)
  -- A state of about sqrt(L) is rounded to float16, D errors of sqrt(L) 2^-12
  -- add up like a random walk and are scaled by 1 / D; 6 standard deviations
  ex.close(what, o, want, {rtol = 2^-10, atol = 6 * math.sqrt(L / D) * 2^-12})
  local flop = 2 * B * H * L * (64 * (D + DV) + 2 * D * DV)
  ex.time(what, {flop = flop}, attention:compile(q, k, v, 64, 64), q, k, v)
end

tl.manual_seed(17)
if ex.small then
  check(1, 2, 130, 64, 64)
  check(1, 1, 77, 32, 40)
else
  check(2, 8, 2048, 64, 64)
  check(1, 4, 1000, 128, 128)
end
