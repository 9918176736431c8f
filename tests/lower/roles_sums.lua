-- How often a pipelined loop runs is a difference of values that the kernel reads, beside others that only consumers use:
-- each role names and adds them up in an order of its own, and both run as often.
local F, A, I = "float16", "float32", "int32"
local row = T.GemmWarpPolicy.FullRow
local D, BM, BN = 64, 128, 64
local varlen = tl.jit(function(Q, K, V, cq, ck, O)
  local U = T.const "U"
  Q: T.Tensor({384, D}, F)
  K: T.Tensor({U, D}, F)
  V: T.Tensor({U, D}, F)
  cq: T.Tensor({4}, I)
  ck: T.Tensor({4}, I)
  O: T.Tensor({384, D}, F)
  for b in T.Kernel(3, {threads = 256}) do
    local qs, ks, vs = T.alloc_shared({BM, D}, F), T.alloc_shared({BN, D}, F), T.alloc_shared({BN, D}, F)
    local s, sc, o = T.alloc_fragment({BM, BN}, A), T.alloc_fragment({BM, BN}, F), T.alloc_fragment({BM, D}, A)
    local q0, k0 = cq[b], ck[b]
    local q1, k1 = cq[b + 1], ck[b + 1]
    local m, n = q1 - q0, k1 - k0
    T.copy(Q[q0 : q0 + BM, :], qs)
    T.fill(o, 0)
    local visible = n - m + BM
    for k in T.Pipelined(T.min(T.ceildiv(visible, BN), T.ceildiv(n, BN)), {num_stages = 2}) do
      T.copy(K[k0 + k * BN : k0 + k * BN + BN, :], ks)
      for i, j in T.Parallel(BM, BN) do
        s[i, j] = T.if_then_else(i + n - m < k * BN + j or i >= m or k * BN + j >= n, -100, 0)
      end
      T.gemm(qs, ks, s, {transpose_B = true, policy = row})
      for i, j in T.Parallel(BM, BN) do sc[i, j] = T.if_then_else(s[i, j] > -50, s[i, j] * 0.0625, 0) end
      T.copy(V[k0 + k * BN : k0 + k * BN + BN, :], vs)
      T.gemm(sc, vs, o, {policy = row})
    end
    for i, j in T.Parallel(BM, D) do
      if i < m then O[q0 + i, j] = o[i, j] end
    end
  end
end)

tl.manual_seed(11)
local small = function(shape) return tl.randint(-1, 2, shape, I):astype(F) end
local q, x, y = small {384, D}, small {301, D}, small {301, D}
local cq, ck = tl.from_table({0, 128, 200, 290}, I), tl.from_table({0, 170, 170, 301}, I)
local function run(target)
  local o = tl.zeros({384, D}, F)
  varlen.opts.target = target
  varlen(q, x, y, cq, ck, o)
  return o:to "cpu"
end
local want = run "cpu"
for _, target in ipairs {"sim -arch=sm_80", "sim -arch=sm_90a"} do
  print("lengths", target, tl.allclose(run(target), want, {rtol = 0, atol = 0}) and "right" or "WRONG")
end
varlen.opts.target = "cuda -arch=sm_90a"
print("roles", varlen:compile({U = 301}):get_kernel_source():find("setmaxnreg", 1, true) and "yes" or "NO")
