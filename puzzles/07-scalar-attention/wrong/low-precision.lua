-- expect: weak
-- Every fragment in float16.
local LOG2E = 1.4426950408889634 -- exp(x) = exp2(x * LOG2E)

attention = tl.jit(function(Q, K, V, BLOCK_B, BLOCK_S)
  local B, S = T.const "B, S"
  Q: T.Tensor({B, S}, T.float32)
  K: T.Tensor({B, S}, T.float32)
  V: T.Tensor({B, S}, T.float32)
  local O = T.empty({B}, T.float32)
  for bx in T.Kernel(T.ceildiv(B, BLOCK_B), {threads = 128}) do
    local q = T.alloc_fragment({BLOCK_B, BLOCK_S}, T.float16)
    local k = T.alloc_fragment({BLOCK_B, BLOCK_S}, T.float16)
    local v = T.alloc_fragment({BLOCK_B, BLOCK_S}, T.float16)
    local top = T.alloc_fragment({BLOCK_B}, T.float16)   -- the greatest score so far
    local old = T.alloc_fragment({BLOCK_B}, T.float16)   -- and before this tile
    local sum = T.alloc_fragment({BLOCK_B}, T.float16)   -- of exp2(score - top)
    local out = T.alloc_fragment({BLOCK_B}, T.float16)   -- of exp2(score - top) * v
    T.fill(top, -T.infinity(T.float16))
    T.clear(sum)
    T.clear(out)
    for s in T.Serial(T.ceildiv(S, BLOCK_S)) do
      T.copy(Q[bx * BLOCK_B, s * BLOCK_S], q)
      T.copy(K[bx * BLOCK_B, s * BLOCK_S], k)
      T.copy(V[bx * BLOCK_B, s * BLOCK_S], v)
      for i, j in T.Parallel(BLOCK_B, BLOCK_S) do
        q[i, j] = T.if_then_else(s * BLOCK_S + j < S, q[i, j] * k[i, j] * LOG2E,
                                 -T.infinity(T.float16))
      end
      T.copy(top, old)
      T.reduce_max(q, top, 1, false)
      for i in T.Parallel(BLOCK_B) do
        sum[i] *= T.exp2(old[i] - top[i])
        out[i] *= T.exp2(old[i] - top[i])
      end
      for i, j in T.Parallel(BLOCK_B, BLOCK_S) do
        q[i, j] = T.exp2(q[i, j] - top[i])
        v[i, j] *= q[i, j]
      end
      T.reduce_sum(q, sum, 1, false)
      T.reduce_sum(v, out, 1, false)
    end
    for i in T.Parallel(BLOCK_B) do
      out[i] = out[i] / sum[i]
    end
    T.copy(out, O[bx * BLOCK_B])
  end
  return O
end)
