-- Two products in a pipelined loop whose count is read from memory, also none: producer and
-- consumers each compute it, under names of their own.  And a product of T.wgmma_gemm that
-- overwrites or adds, as is decided when the kernel runs.
local F, A, I = "float16", "float32", "int32"
local row = T.GemmWarpPolicy.FullRow
local D, BM, BN = 64, 128, 64
local two = tl.jit(function(Q, K, V, ck, O)
  local U = T.const "U"
  Q: T.Tensor({3, BM, D}, F)
  K: T.Tensor({U, D}, F)
  V: T.Tensor({U, D}, F)
  ck: T.Tensor({4}, I)
  O: T.Tensor({3, BM, D}, F)
  for b in T.Kernel(3, {threads = 256}) do
    local qs, ks, vs = T.alloc_shared({BM, D}, F), T.alloc_shared({BN, D}, F), T.alloc_shared({BN, D}, F)
    local s, sc, o = T.alloc_fragment({BM, BN}, A), T.alloc_fragment({BM, BN}, F), T.alloc_fragment({BM, D}, A)
    local k0 = ck[b]
    local n = ck[b + 1] - k0
    T.copy(Q[b, :, :], qs)
    T.fill(o, 0)
    for k in T.Pipelined(T.ceildiv(n, BN), {num_stages = 2}) do
      T.copy(K[k0 + k * BN : k0 + k * BN + BN, :], ks)
      T.clear(s)
      T.gemm(qs, ks, s, {transpose_B = true, policy = row})
      for i, j in T.Parallel(BM, BN) do sc[i, j] = T.if_then_else(k * BN + j < n, s[i, j] * 0.0625, 0) end
      T.copy(V[k0 + k * BN : k0 + k * BN + BN, :], vs)
      T.gemm(sc, vs, o, {policy = row})
    end
    T.copy(o, O[b, :, :])
  end
end)

tl.manual_seed(11)
local small = function(shape) return tl.randint(-1, 2, shape, I):astype(F) end
local q, x, y = small {3, BM, D}, small {170, D}, small {170, D}
local counts = tl.from_table({0, 130, 130, 170}, I)
local function run(target)
  local o = tl.zeros({3, BM, D}, F)
  two.opts.target = target
  two(q, x, y, counts, o)
  return o:to "cpu"
end
local want = run "cpu"
for _, target in ipairs {"sim -arch=sm_80", "sim -arch=sm_90a"} do
  print("two products", target, tl.allclose(run(target), want, {rtol = 0, atol = 0}) and "right" or "WRONG")
end

local once = tl.jit(function(X, Y, N, C)
  X: T.Tensor({64, 64}, F)
  Y: T.Tensor({64, 64}, F)
  N: T.Tensor({1}, I)
  C: T.Tensor({64, 64}, A)
  for _ in T.Kernel(1, {threads = 128}) do
    local a, b = T.alloc_shared({64, 64}, F), T.alloc_shared({64, 64}, F)
    local c = T.alloc_fragment({64, 64}, A)
    T.copy(X, a)
    T.copy(Y, b)
    T.clear(c)
    for k in T.serial(3) do
      T.wgmma_gemm(a, b, c, {clear_accum = k == N[0]})
      T.wait_wgmma(0)
    end
    T.copy(c, C)
  end
end, {target = "sim -arch=sm_90a"})
local a, b = small {64, 64}, small {64, 64}
for n = 0, 3 do
  local c = tl.zeros({64, 64}, A)
  once(a, b, tl.from_table({n}, I), c)
  local product = tl.ref.matmul(a, b):astype(A)
  local ok = true
  for i = 0, 63, 7 do ok = ok and c[i, i] == product[i, i] * (n == 3 and 3 or 3 - n) end
  print("adds from", n, ok and "right" or "WRONG")
end

-- Blocks that loop over tiles, of which each has a count of its own: a product with a triangle.
local triangle = tl.jit(function(L, X)
  L: T.Tensor({512, 512}, F)
  X: T.Tensor({512, 256}, F)
  local C = T.empty({512, 256}, A)
  for bx, by in T.Kernel(4, 8, {threads = 128}) do
    local a, b = T.alloc_shared({64, 64}, F), T.alloc_shared({64, 64}, F)
    local c = T.alloc_fragment({64, 64}, A)
    T.clear(c)
    for k in T.Pipelined(by + 1, {num_stages = 2}) do
      T.copy(L[by * 64, k * 64], a)
      T.copy(X[k * 64, bx * 64], b)
      T.gemm(a, b, c)
    end
    T.copy(c, C[by * 64, bx * 64])
  end
  return C
end)
local l, x = small {512, 512}:tril(), small {512, 256}
local want = tl.ref.matmul(l, x, {dtype = "float32"})
for _, target in ipairs {"sim -arch=sm_90a", "sim -arch=sm_90a -sms=2", "sim -arch=sm_90a -sms=6"} do
  triangle.opts.target = target
  print("a triangle", target, tl.allclose(triangle(l, x), want, {rtol = 0, atol = 0}) and "right" or "WRONG")
end
