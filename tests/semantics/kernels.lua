-- Kernels of the kinds that TileLang's examples have, at odd sizes, each
-- against loops in plain Lua or a reference operator.
local check = dofile "lib/check.lua"
tl.manual_seed(8)
local f16, f32, i32 = T.float16, T.float32, T.int32

-- layer norm with two-pass statistics ------------------------------------------------

local layernorm = tl.jit(function(X, G, B, eps, BM)
  local M, N = T.const "M, N"
  X: T.Tensor({M, N}, f16)
  G: T.Tensor({N}, f16)
  B: T.Tensor({N}, f16)
  local Y = T.empty({M, N}, f16)
  for bx in T.Kernel(T.ceildiv(M, BM), {threads = 128}) do
    local x, d = T.alloc_fragment({BM, N}, f32), T.alloc_fragment({BM, N}, f32)
    local mean, var = T.alloc_fragment({BM}, f32), T.alloc_fragment({BM}, f32)
    T.copy(X[bx * BM, 0], x)
    T.reduce_sum(x, mean, {dim = 1})
    for i in T.Parallel(BM) do mean[i] /= N end
    for i, j in T.Parallel(BM, N) do
      d[i, j] = (x[i, j] - mean[i]) * (x[i, j] - mean[i])
    end
    T.reduce_sum(d, var, {dim = 1})
    for i in T.Parallel(BM) do var[i] = T.rsqrt(var[i] / N + eps) end
    for i, j in T.Parallel(BM, N) do
      x[i, j] = (x[i, j] - mean[i]) * var[i] * G[j] + B[j]
    end
    T.copy(x, Y[bx * BM, 0])
  end
  return Y
end)
local x, g, b = tl.randn({11, 37}, f16), tl.randn({37}, f16), tl.randn({37}, f16)
check.close("layernorm", layernorm(x, g, b, 1e-5, 4), tl.ref.layernorm(x, g, b, {eps = 1e-5}), 1e-2)

-- grouped product: each group of rows has a weight of its own ------------------------

local grouped = tl.jit(function(A, W, sizes, offsets, padded, BM, BN, BK)
  local total, K, G, N, blocks = T.const "total, K, G, N, blocks"
  A: T.Tensor({total, K}, f16)
  W: T.Tensor({G, K, N}, f16)
  sizes: T.Tensor({G}, i32)
  offsets: T.Tensor({G}, i32)
  padded: T.Tensor({blocks}, i32)
  local C = T.empty({total, N}, f16)
  for bx, by in T.Kernel(blocks, T.ceildiv(N, BN)) do
    local As, Ws = T.alloc_shared({BM, BK}, f16), T.alloc_shared({BK, BN}, f16)
    local Cl = T.alloc_fragment({BM, BN}, f32)
    local group, first = T.alloc_var(i32, 0), T.alloc_var(i32, 0)
    group = padded[bx]
    -- which block of its group this is
    local before = T.alloc_var(i32, 0)
    for q in T.serial(bx) do
      if padded[q] == group then before += 1 end
    end
    first = offsets[group] + before * BM
    local rows = T.alloc_var(i32)
    rows = T.min(BM, sizes[group] - before * BM)
    T.clear(Cl)
    for k in T.Pipelined(T.ceildiv(K, BK), {num_stages = 2}) do
      T.copy(A[first, k * BK], As)
      T.copy(W[group, k * BK, by * BN], Ws)
      T.gemm(As, Ws, Cl)
    end
    for i, j in T.Parallel(BM, BN) do
      if i < rows then C[first + i, by * BN + j] = Cl[i, j] end
    end
  end
  return C
end)
do
  local sizes, BM = {5, 0, 17, 9}, 8
  local offsets, padded, at = {}, {}, 0
  for i, n in ipairs(sizes) do
    offsets[i] = at
    for _ = 1, (n + BM - 1) // BM do padded[#padded + 1] = i - 1 end
    at = at + n
  end
  local A, W = tl.randn({at, 21}, f16), tl.randn({4, 21, 13}, f16)
  local C = grouped(A, W, tl.from_table(sizes, i32), tl.from_table(offsets, i32),
    tl.from_table(padded, i32), BM, 16, 16)
  for i, n in ipairs(sizes) do
    if n > 0 then
      local o = offsets[i]
      check.close("grouped " .. i, C[o:o + n, :], tl.ref.matmul(A[o:o + n, :], W[i - 1]), 1e-2)
    end
  end
end

-- attention with a block mask, a paged cache, variable lengths --------------------------

local paged = tl.jit(function(Q, K, V, tables, lengths, BN)
  local B, H, D, pages, P, maxp = T.const "B, H, D, pages, P, maxp"
  Q: T.Tensor({B, H, D}, f16)
  K: T.Tensor({pages, P, D}, f16)
  V: T.Tensor({pages, P, D}, f16)
  tables: T.Tensor({B, maxp}, i32)
  lengths: T.Tensor({B}, i32)
  local O = T.empty({B, H, D}, f32)
  local scale = 1 / math.sqrt(D) * 1.44269504
  for bz in T.Kernel(B) do
    local Qs, Ks, Vs = T.alloc_shared({H, D}, f16), T.alloc_shared({P, D}, f16), T.alloc_shared({P, D}, f16)
    local S, Sh = T.alloc_fragment({H, P}, f32), T.alloc_fragment({H, P}, f16)
    local acc = T.alloc_fragment({H, D}, f32)
    local m, mp, l, r = T.alloc_fragment({H}, f32), T.alloc_fragment({H}, f32),
      T.alloc_fragment({H}, f32), T.alloc_fragment({H}, f32)
    T.copy(Q[bz, 0, 0], Qs)
    T.clear(acc)
    T.clear(l)
    T.fill(m, -T.infinity(f32))
    for n in T.serial(T.ceildiv(lengths[bz], P)) do
      local page = tables[bz, n]
      T.copy(K[page, 0, 0], Ks)
      T.copy(V[page, :, :], Vs)
      T.gemm(Qs, Ks, S, {transpose_B = true, clear_accum = true, policy = T.GemmWarpPolicy.FullCol})
      for i, j in T.Parallel(H, P) do
        S[i, j] = T.if_then_else(n * P + j < lengths[bz], S[i, j], -T.infinity(f32))
      end
      T.copy(m, mp)
      T.reduce_max(S, m, {dim = 1, clear = false})
      for i in T.Parallel(H) do r[i] = T.exp2((mp[i] - m[i]) * scale) end
      for i, j in T.Parallel(H, P) do S[i, j] = T.exp2((S[i, j] - m[i]) * scale) end
      local rowsum = T.alloc_fragment({H}, f32)
      T.reduce_sum(S, rowsum, 1)
      for i in T.Parallel(H) do l[i] = l[i] * r[i] + rowsum[i] end
      T.copy(S, Sh)
      for i, j in T.Parallel(H, D) do acc[i, j] *= r[i] end
      T.gemm(Sh, Vs, acc)
    end
    for i, j in T.Parallel(H, D) do acc[i, j] /= l[i] end
    T.copy(acc, O[bz, 0, 0])
  end
  return O
end)
do
  local B, H, D, P, pages = 3, 5, 24, 8, 9
  local Q, K, V = tl.randn({B, H, D}, f16), tl.randn({pages, P, D}, f16), tl.randn({pages, P, D}, f16)
  local tab = {{4, 1, 7}, {0, 8, 3}, {2, 5, 6}}
  local len = {20, 3, 24}
  local O = paged(Q, K, V, tl.from_table(tab, i32), tl.from_table(len, i32), P)
  for bz = 0, B - 1 do
    local k, v = {}, {}
    for n = 0, len[bz + 1] - 1 do
      local page = tab[bz + 1][n // P + 1]
      k[n + 1], v[n + 1] = K[page, n % P]:totable(), V[page, n % P]:totable()
    end
    local S = tl.ref.matmul(Q[bz], tl.from_table(k, "float64"):transpose()) * (1 / math.sqrt(D))
    check.close("paged " .. bz, O[bz], tl.ref.matmul(tl.ref.softmax(S, -1), tl.from_table(v, "float64")), 2e-2)
  end
end

-- block sparse product ---------------------------------------------------------------------

local blocksparse = tl.jit(function(A, B, mask, BM, BN, BK)
  local M, N, K = T.const "M, N, K"
  A: T.Tensor({M, K}, f16)
  B: T.Tensor({K, N}, f16)
  mask: T.Tensor({T.ceildiv(M, BM), T.ceildiv(N, BN), T.ceildiv(K, BK)}, T.bool)
  local C = T.empty({M, N}, f16)
  for bx, by in T.Kernel(T.ceildiv(N, BN), T.ceildiv(M, BM)) do
    local As, Bs = T.alloc_shared({BM, BK}, f16), T.alloc_shared({BK, BN}, f16)
    local Cl, Cs = T.alloc_fragment({BM, BN}, f32), T.alloc_shared({BM, BN}, f16)
    T.clear(Cl)
    for k in T.Pipelined(T.ceildiv(K, BK), {num_stages = 2}) do
      if mask[by, bx, k] then
        T.copy(A[by * BM, k * BK], As)
        T.copy(B[k * BK, bx * BN], Bs)
        T.gemm(As, Bs, Cl)
      end
    end
    T.copy(Cl, Cs)
    T.copy(Cs, C[by * BM, bx * BN])
  end
  return C
end)
do
  local M, N, K, t = 33, 30, 50, 16
  local A, B = tl.randn({M, K}, f16), tl.randn({K, N}, f16)
  local mask = tl.randint(0, 2, {3, 2, 4}, "bool")
  check.each("blocksparse", blocksparse(A, B, mask, t, t, t), function(i, j)
    local s = 0
    for k = 0, K - 1 do
      local on = mask[i // t, j // t, k // t]
      if on == true or on == 1 then s = s + A[i, k] * B[k, j] end
    end
    return s
  end, 1e-2)
end

-- top k by repeated maximum --------------------------------------------------------------------

local topk = tl.jit(function(X, k, BM)
  local M, N = T.const "M, N"
  X: T.Tensor({M, N}, f32)
  local V, I = T.empty({M, k}, f32), T.empty({M, k}, i32)
  for bx in T.Kernel(T.ceildiv(M, BM)) do
    local x, idx = T.alloc_fragment({BM, N}, f32), T.alloc_fragment({BM, N}, i32)
    local m, mi = T.alloc_fragment({BM}, f32), T.alloc_fragment({BM}, i32)
    T.copy(X[bx * BM, 0], x)
    for t in T.serial(k) do
      T.fill(idx, -1)
      T.reduce_max(x, m, 1, true)
      for i, j in T.Parallel(BM, N) do
        if x[i, j] == m[i] then idx[i, j] = j end
      end
      T.reduce_max(idx, mi, 1, true)
      for i, j in T.Parallel(BM, N) do
        x[i, j] = T.if_then_else(j == mi[i], -T.infinity(f32), x[i, j])
      end
      for i in T.Parallel(BM) do
        V[bx * BM + i, t] = m[i]
        I[bx * BM + i, t] = mi[i]
      end
    end
  end
  return V, I
end)
do
  local X = tl.randn({7, 19})
  local V, I = topk(X, 4, 4)
  local bad = 0
  for i = 0, 6 do
    local row = X[i]:totable()
    table.sort(row, function(p, q) return p > q end)
    for t = 0, 3 do
      if V[i, t] ~= row[t + 1] or X[i, I[i, t]] ~= V[i, t] then bad = bad + 1 end
    end
  end
  check.equal("topk", bad, 0)
end

-- quantisation: to float8 by tokens, to int8 by groups, and back ----------------------------------

local per_token = tl.jit(function(X, BM, G)
  local M, N = T.const "M, N"
  X: T.Tensor({M, N}, T.bfloat16)
  local Q, S = T.empty({M, N}, T.float8_e4m3fn), T.empty({M, T.ceildiv(N, G)}, f32)
  for by, bx in T.Kernel(T.ceildiv(M, BM), T.ceildiv(N, G), {threads = 128}) do
    local x, amax = T.alloc_fragment({BM, G}, f32), T.alloc_fragment({BM}, f32)
    local s, q = T.alloc_fragment({BM}, f32), T.alloc_fragment({BM, G}, T.float8_e4m3fn)
    T.annotate_layout {[x] = T.Fragment({BM, G}, {thread = function(i, j) return i % 4 * 32 + j % 32 end,
      index = function(i, j) return i // 4 * (G // 32) + j // 32 end})}
    T.copy(X[by * BM, bx * G], x)
    T.reduce_absmax(x, amax, {dim = 1})
    for i in T.Parallel(BM) do
      amax[i] = T.max(amax[i], 1e-4)
      s[i] = amax[i] / 448.0
    end
    for i, j in T.Parallel(BM, G) do q[i, j] = T.clamp(x[i, j] / s[i], -448.0, 448.0) end
    T.copy(q, Q[by * BM, bx * G])
    for i in T.Parallel(BM) do S[by * BM + i, bx] = s[i] end
  end
  return Q, S
end)
do
  local X = tl.randn({9, 70}, T.bfloat16)
  local Q, S = per_token(X, 4, 32)
  check.each("float8 by groups", Q, function(i, j)
    local s = S[i, j // 32]
    return tl.full({1}, X[i, j] / s, "float64"):to("float8_e4m3fn"):item(0)
  end, 0.14)
  check.each("its scales", S, function(i, g)
    local m = 0
    for j = 32 * g, math.min(69, 32 * g + 31) do m = math.max(m, math.abs(X[i, j])) end
    return math.max(m, 1e-4) / 448
  end, 1e-6)
end

-- a chunked scan: h = a h + k^T v, o = q h ----------------------------------------------------------

local scan = tl.jit(function(Q, K, V, A, C)
  local B, S, D = T.const "B, S, D"
  Q: T.Tensor({B, S, D}, f32)
  K: T.Tensor({B, S, D}, f32)
  V: T.Tensor({B, S, D}, f32)
  A: T.Tensor({B, S}, f32)
  local O = T.empty({B, S, D}, f32)
  for b in T.Kernel(B) do
    local q, k, v = T.alloc_shared({C, D}, f32), T.alloc_shared({C, D}, f32), T.alloc_shared({C, D}, f32)
    local a, e = T.alloc_shared({C}, f32), T.alloc_fragment({C}, f32)
    local h, hs = T.alloc_fragment({D, D}, f32), T.alloc_shared({D, D}, f32)
    local s, o = T.alloc_fragment({C, C}, f32), T.alloc_fragment({C, D}, f32)
    local kd = T.alloc_shared({C, D}, f32)
    T.clear(h)
    for n in T.serial(T.ceildiv(S, C)) do
      T.copy(Q[b, n * C, 0], q)
      T.copy(K[b, n * C, 0], k)
      T.copy(V[b, n * C, 0], v)
      T.copy(A[b, n * C:(n + 1) * C], a)
      T.cumsum(a)
      T.copy(a, e)
      T.copy(h, hs)
      T.gemm(q, hs, o, {clear_accum = true})
      for i, j in T.Parallel(C, D) do o[i, j] *= T.exp(e[i]) end
      T.gemm(q, k, s, {transpose_B = true, clear_accum = true})
      for i, j in T.Parallel(C, C) do
        s[i, j] = i >= j and s[i, j] * T.exp(a[i] - a[j]) or 0
      end
      T.gemm(s, v, o)
      T.copy(o, O[b, n * C, 0])
      for i, j in T.Parallel(C, D) do kd[i, j] = k[i, j] * T.exp(a[C - 1] - a[i]) end
      for i, j in T.Parallel(D, D) do h[i, j] *= T.exp(a[C - 1]) end
      T.gemm(kd, v, h, {transpose_A = true})
    end
  end
  return O
end)
do
  local B, S, D = 2, 21, 16
  local Q, K, V = tl.randn({B, S, D}), tl.randn({B, S, D}), tl.randn({B, S, D})
  local A = tl.rand({B, S}) * -0.5
  local want = {}
  for b = 0, B - 1 do
    local h = {}
    for i = 0, D * D - 1 do h[i] = 0 end
    want[b + 1] = {}
    for t = 0, S - 1 do
      local e = math.exp(A[b, t])
      local row = {}
      for i = 0, D - 1 do
        for j = 0, D - 1 do h[i * D + j] = h[i * D + j] * e + K[b, t, i] * V[b, t, j] end
      end
      for j = 0, D - 1 do
        local o = 0
        for i = 0, D - 1 do o = o + Q[b, t, i] * h[i * D + j] end
        row[j + 1] = o
      end
      want[b + 1][t + 1] = row
    end
  end
  check.close("chunked scan", scan(Q, K, V, A, 8), want, 1e-4)
end

-- a hadamard transform in the registers of a thread --------------------------------------

local hadamard = tl.jit(function(X, N)
  local B = T.const "B"
  X: T.Tensor({B, N}, f32)
  local Y = T.empty({B, N}, f32)
  for bx in T.Kernel(B, {threads = 1}) do
    local v = T.alloc_local({N}, f32)
    for i in T.vectorized(N) do v[i] = X[bx, i] end
    local h = 1
    while h < N do -- at trace time
      for i in T.serial(N // 2) do
        local p = i // h * 2 * h + i % h
        local a, b = v[p], v[p + h]
        v[p] = a + b
        v[p + h] = a - b
      end
      h = h * 2
    end
    for i in T.serial(N) do Y[bx, i] = v[i] end
  end
  return Y
end)
do
  local X = tl.randn({3, 16})
  check.each("hadamard", hadamard(X, 16), function(b, i)
    local s = 0
    for j = 0, 15 do
      local n, bits = i & j, 0
      while n > 0 do bits, n = bits + (n & 1), n >> 1 end
      s = s + (bits % 2 == 0 and X[b, j] or -X[b, j])
    end
    return s
  end, 1e-5)
end

-- histogram in shared memory, transposition, gather and scatter -------------------------------------------

local histogram = tl.jit(function(X, bins)
  local N = T.const "N"
  X: T.Tensor({N}, T.uint8)
  local H = T.empty({256}, i32)
  for bx in T.Kernel(1, {threads = 64}) do
    local h = T.alloc_shared({256}, i32)
    T.clear(h)
    for i in T.Parallel(N) do T.atomic_add(h[X[i]:astype(i32)], 1) end
    T.copy(h, H)
  end
  return H
end)
do
  local X = tl.randint(0, 256, {777}, "uint8")
  local n = {}
  for i = 0, 255 do n[i] = 0 end
  for i = 0, 776 do n[X[i]] = n[X[i]] + 1 end
  check.each("histogram", histogram(X), function(i) return n[i] end)
end

local gather = tl.jit(function(X, idx, BM)
  local V, D, N = T.const "V, D, N"
  X: T.Tensor({V, D}, f16)
  idx: T.Tensor({N}, T.int64)
  local Y = T.empty({N, D}, f16)
  for bx in T.Kernel(T.ceildiv(N, BM)) do
    for i, j in T.Parallel(BM, D) do
      if bx * BM + i < N then Y[bx * BM + i, j] = X[idx[bx * BM + i], j] end
    end
  end
  return Y
end)
do
  local X, idx = tl.randn({10, 6}, f16), tl.randint(0, 10, {13}, "int64")
  check.each("gather", gather(X, idx, 4), function(i, j) return X[idx[i], j] end)
end

-- convolution with a halo in two dimensions, pooling -----------------------------------------------------------

local conv2d = tl.jit(function(X, W, B)
  local H, WD, R = T.const "H, WD, R"
  X: T.Tensor({H, WD}, f32)
  W: T.Tensor({R, R}, f32)
  local Y, P = T.empty({H, WD}, f32), T.empty({H // 2, WD // 2}, f32)
  for bx, by in T.Kernel(T.ceildiv(WD, B), T.ceildiv(H, B)) do
    local x = T.alloc_shared({B + R - 1, B + R - 1}, f32)
    local y = T.alloc_fragment({B, B}, f32)
    local p = T.alloc_fragment({B // 2, B // 2}, f32)
    T.copy(X[by * B - R // 2, bx * B - R // 2], x)
    T.clear(y)
    for r, s in T.grid(R, R) do
      for i, j in T.Parallel(B, B) do y[i, j] += x[i + r, j + s] * W[r, s] end
    end
    T.copy(y, Y[by * B, bx * B])
    local ys = T.alloc_shared({B, B}, f32)
    T.copy(y, ys)
    for i, j in T.Parallel(B // 2, B // 2) do
      p[i, j] = T.max(T.max(ys[2 * i, 2 * j], ys[2 * i, 2 * j + 1]),
        T.max(ys[2 * i + 1, 2 * j], ys[2 * i + 1, 2 * j + 1]))
    end
    T.copy(p, P[by * (B // 2), bx * (B // 2)])
  end
  return Y, P
end)
do
  local X, W = tl.randn({13, 18}), tl.randn({3, 3})
  local Y, P = conv2d(X, W, 8)
  check.each("conv2d", Y, function(i, j)
    local s = 0
    for r = 0, 2 do
      for c = 0, 2 do
        local a, b = i + r - 1, j + c - 1
        if a >= 0 and b >= 0 and a < 13 and b < 18 then s = s + X[a, b] * W[r, c] end
      end
    end
    return s
  end, 1e-5)
  check.each("pooling", P, function(i, j)
    return math.max(Y[2 * i, 2 * j], Y[2 * i + 1, 2 * j], Y[2 * i, 2 * j + 1], Y[2 * i + 1, 2 * j + 1])
  end)
end

-- rotary embedding with reshape, swiglu, cross entropy, rms norm of bfloat16 ---------------------------------------

local rope = tl.jit(function(X, cos, sin, BS)
  local S, H, D = T.const "S, H, D"
  X: T.Tensor({S, H, D}, f16)
  cos: T.Tensor({S, D // 2}, f32)
  sin: T.Tensor({S, D // 2}, f32)
  local Y = T.empty({S, H, D}, f16)
  for bs, h in T.Kernel(T.ceildiv(S, BS), H) do
    local x = T.alloc_shared({BS, D}, f16)
    local v = T.reshape(x, {BS, 2, D // 2})
    local y = T.alloc_fragment({BS, D}, f16)
    T.copy(X[bs * BS:(bs + 1) * BS, h, :], x)
    for i, j in T.Parallel(BS, D // 2) do
      local c, s = cos[bs * BS + i, j], sin[bs * BS + i, j]
      y[i, j] = v[i, 0, j] * c - v[i, 1, j] * s
      y[i, j + D // 2] = v[i, 1, j] * c + v[i, 0, j] * s
    end
    T.copy(y, Y[bs * BS:(bs + 1) * BS, h, :])
  end
  return Y
end)
do
  local S, H, D = 11, 3, 8
  local X, c, s = tl.randn({S, H, D}, f16), tl.randn({S, D // 2}), tl.randn({S, D // 2})
  check.each("rope", rope(X, c, s, 4), function(i, h, j)
    local k = j % 4
    local a, b = X[i, h, k], X[i, h, k + 4]
    return j < 4 and a * c[i, k] - b * s[i, k] or b * c[i, k] + a * s[i, k]
  end, 1e-2)
end

local swiglu = tl.jit(function(X, BM, BN)
  local M = T.dynamic "M"
  local N = T.const "N"
  X: T.Tensor({M, 2, N}, T.bfloat16)
  local Y = T.empty({M, N}, T.bfloat16)
  for bx, by in T.Kernel(T.ceildiv(N, BN), T.ceildiv(M, BM)) do
    local g, u = T.alloc_fragment({BM, BN}, f32), T.alloc_fragment({BM, BN}, f32)
    T.copy(X[by * BM:(by + 1) * BM, 0, bx * BN:(bx + 1) * BN], g)
    T.copy(X[by * BM:(by + 1) * BM, 1, bx * BN:(bx + 1) * BN], u)
    for i, j in T.Parallel(BM, BN) do g[i, j] = g[i, j] * T.sigmoid(g[i, j]) * u[i, j] end
    T.copy(g, Y[by * BM, bx * BN])
  end
  return Y
end)
for _, m in ipairs {1, 9} do
  local X = tl.randn({m, 2, 21}, T.bfloat16)
  check.each("swiglu " .. m, swiglu(X, 4, 16), function(i, j)
    local g = X[i, 0, j]
    return g / (1 + math.exp(-g)) * X[i, 1, j]
  end, 1e-2)
end

local xent = tl.jit(function(X, label, BN)
  local M, N = T.const "M, N"
  X: T.Tensor({M, N}, f32)
  label: T.Tensor({M}, i32)
  local loss = T.empty({M}, f32)
  for r in T.Kernel(M) do
    local x = T.alloc_fragment({BN}, f32)
    local m, mp, s, t = T.alloc_fragment({1}, f32), T.alloc_fragment({1}, f32),
      T.alloc_fragment({1}, f32), T.alloc_fragment({1}, f32)
    T.fill(m, -T.infinity(f32))
    T.clear(s)
    T.annotate_safe_value {[X] = -T.infinity(f32)}
    for n in T.serial(T.ceildiv(N, BN)) do
      T.copy(X[r, n * BN], x)
      mp[0] = m[0]
      T.reduce_max(x, m, 0, false)
      for j in T.Parallel(BN) do x[j] = T.exp(x[j] - m[0]) end
      T.reduce_sum(x, t, 0)
      s[0] = s[0] * T.exp(mp[0] - m[0]) + t[0]
    end
    loss[r] = m[0] + T.log(s[0]) - X[r, label[r]]
  end
  return loss
end)
do
  local X, label = tl.randn({6, 29}), tl.randint(0, 29, {6}, "int32")
  check.each("cross entropy", xent(X, label, 8), function(i)
    local s = 0
    for j = 0, 28 do s = s + math.exp(X[i, j]) end
    return math.log(s) - X[i, label[i]]
  end, 1e-5)
end

-- element-wise backward over three tensors, stride-2 slices through reshape, bool masks ----------------------------------

local dropout = tl.jit(function(X, keep, p, BM)
  local M, N = T.const "M, N"
  X: T.Tensor({M, N}, f16)
  keep: T.Tensor({M, N}, T.bool)
  p: T.float32
  local Y = T.empty({M, N}, f16)
  for bx in T.Kernel(T.ceildiv(M, BM)) do
    for i, j in T.Parallel(BM, N) do
      Y[bx * BM + i, j] = keep[bx * BM + i, j] and X[bx * BM + i, j] / (1 - p) or 0
    end
  end
  return Y
end)
do
  local X, keep = tl.randn({5, 9}, f16), tl.randint(0, 2, {5, 9}, "bool")
  check.each("dropout", dropout(X, keep, 0.25, 2), function(i, j)
    local on = keep[i, j]
    return (on == true or on == 1) and X[i, j] / 0.75 or 0
  end, 2e-3)
end

-- a bitonic sort of one row in shared memory -------------------------------------------------------------------------

local sort = tl.jit(function(X, N)
  local M = T.const "M"
  X: T.Tensor({M, N}, i32)
  local Y = T.empty({M, N}, i32)
  for r in T.Kernel(M, {threads = 32}) do
    local s, f = T.alloc_shared({N}, i32), T.alloc_fragment({N}, i32)
    T.copy(X[r, 0], s)
    local k = 2
    while k <= N do
      local j = k // 2
      while j >= 1 do
        for i in T.Parallel(N) do
          local other = i ~ j
          local up = (i & k) == 0
          local low = T.min(s[i], s[other])
          local high = T.max(s[i], s[other])
          f[i] = (up == (i < other)) and low or high
        end
        T.copy(f, s)
        j = j // 2
      end
      k = k * 2
    end
    T.copy(s, Y[r, 0])
  end
  return Y
end)
do
  local X = tl.randint(-99, 99, {3, 16}, "int32")
  local Y = sort(X, 16)
  local rows = X:totable()
  for i = 1, 3 do table.sort(rows[i]) end
  check.close("bitonic sort", Y, rows)
end

check.done()
