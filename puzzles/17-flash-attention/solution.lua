-- Tiles of keys and values stream by; the softmax is the online one.
attention = tl.jit(function(Q, K, V, BLOCK_M, BLOCK_N)
  local H, S, D = T.const "H, S, D"
  Q: T.Tensor({H, S, D}, T.float16)
  K: T.Tensor({H, S, D}, T.float16)
  V: T.Tensor({H, S, D}, T.float16)
  local O = T.empty({H, S, D}, T.float16)
  local scale = 1.4426950408889634 / math.sqrt(D)
  for bx, h in T.Kernel(T.ceildiv(S, BLOCK_M), H, {threads = 128}) do
    local Qs = T.alloc_shared({BLOCK_M, D}, T.float16)
    local Ks = T.alloc_shared({BLOCK_N, D}, T.float16)
    local Vs = T.alloc_shared({BLOCK_N, D}, T.float16)
    local P = T.alloc_fragment({BLOCK_M, BLOCK_N}, T.float32)
    local P16 = T.alloc_fragment({BLOCK_M, BLOCK_N}, T.float16)
    local out = T.alloc_fragment({BLOCK_M, D}, T.float32)
    local top = T.alloc_fragment({BLOCK_M}, T.float32)
    local old = T.alloc_fragment({BLOCK_M}, T.float32)
    local shrink = T.alloc_fragment({BLOCK_M}, T.float32)
    local sum = T.alloc_fragment({BLOCK_M}, T.float32)
    T.copy(Q[h, bx * BLOCK_M, 0], Qs)
    T.clear(out)
    T.clear(sum)
    T.fill(top, -T.infinity(T.float32))
    for k in T.Pipelined(T.ceildiv(S, BLOCK_N), {num_stages = 2}) do
      T.copy(K[h, k * BLOCK_N, 0], Ks)
      T.copy(V[h, k * BLOCK_N, 0], Vs)
      T.clear(P)
      T.gemm(Qs, Ks, P, {transpose_B = true, policy = T.GemmWarpPolicy.FullRow})
      for i, j in T.Parallel(BLOCK_M, BLOCK_N) do
        local key = k * BLOCK_N + j
        P[i, j] = T.if_then_else(key < S, P[i, j], -T.infinity(T.float32))
      end
      T.copy(top, old)
      T.reduce_max(P, top, 1, false)
      for i in T.Parallel(BLOCK_M) do
        shrink[i] = T.exp2((old[i] - top[i]) * scale)
        sum[i] *= shrink[i]
      end
      for i, j in T.Parallel(BLOCK_M, D) do
        out[i, j] *= shrink[i]
      end
      for i, j in T.Parallel(BLOCK_M, BLOCK_N) do
        P[i, j] = T.exp2((P[i, j] - top[i]) * scale)
      end
      T.reduce_sum(P, sum, 1, false)
      T.copy(P, P16)
      T.gemm(P16, Vs, out, {policy = T.GemmWarpPolicy.FullRow})
    end
    for i, j in T.Parallel(BLOCK_M, D) do
      out[i, j] = out[i, j] / sum[i]
    end
    T.copy(out, O[h, bx * BLOCK_M, 0])
  end
  return O
end)

-- A query sees no key behind its own place: fewer tiles, another mask.
causal = tl.jit(function(Q, K, V, BLOCK_M, BLOCK_N)
  local H, S, D = T.const "H, S, D"
  Q: T.Tensor({H, S, D}, T.float16)
  K: T.Tensor({H, S, D}, T.float16)
  V: T.Tensor({H, S, D}, T.float16)
  local O = T.empty({H, S, D}, T.float16)
  local scale = 1.4426950408889634 / math.sqrt(D)
  for bx, h in T.Kernel(T.ceildiv(S, BLOCK_M), H, {threads = 128}) do
    local Qs = T.alloc_shared({BLOCK_M, D}, T.float16)
    local Ks = T.alloc_shared({BLOCK_N, D}, T.float16)
    local Vs = T.alloc_shared({BLOCK_N, D}, T.float16)
    local P = T.alloc_fragment({BLOCK_M, BLOCK_N}, T.float32)
    local P16 = T.alloc_fragment({BLOCK_M, BLOCK_N}, T.float16)
    local out = T.alloc_fragment({BLOCK_M, D}, T.float32)
    local top = T.alloc_fragment({BLOCK_M}, T.float32)
    local old = T.alloc_fragment({BLOCK_M}, T.float32)
    local shrink = T.alloc_fragment({BLOCK_M}, T.float32)
    local sum = T.alloc_fragment({BLOCK_M}, T.float32)
    T.copy(Q[h, bx * BLOCK_M, 0], Qs)
    T.clear(out)
    T.clear(sum)
    T.fill(top, -T.infinity(T.float32))
    local keys = T.min(S, (bx + 1) * BLOCK_M)
    for k in T.Pipelined(T.ceildiv(keys, BLOCK_N), {num_stages = 2}) do
      T.copy(K[h, k * BLOCK_N, 0], Ks)
      T.copy(V[h, k * BLOCK_N, 0], Vs)
      T.clear(P)
      T.gemm(Qs, Ks, P, {transpose_B = true, policy = T.GemmWarpPolicy.FullRow})
      for i, j in T.Parallel(BLOCK_M, BLOCK_N) do
        local key = k * BLOCK_N + j
        local query = bx * BLOCK_M + i
        P[i, j] = T.if_then_else(key <= query, P[i, j], -T.infinity(T.float32))
      end
      T.copy(top, old)
      T.reduce_max(P, top, 1, false)
      for i in T.Parallel(BLOCK_M) do
        shrink[i] = T.exp2((old[i] - top[i]) * scale)
        sum[i] *= shrink[i]
      end
      for i, j in T.Parallel(BLOCK_M, D) do
        out[i, j] *= shrink[i]
      end
      for i, j in T.Parallel(BLOCK_M, BLOCK_N) do
        P[i, j] = T.exp2((P[i, j] - top[i]) * scale)
      end
      T.reduce_sum(P, sum, 1, false)
      T.copy(P, P16)
      T.gemm(P16, Vs, out, {policy = T.GemmWarpPolicy.FullRow})
    end
    for i, j in T.Parallel(BLOCK_M, D) do
      out[i, j] = out[i, j] / sum[i]
    end
    T.copy(out, O[h, bx * BLOCK_M, 0])
  end
  return O
end)
