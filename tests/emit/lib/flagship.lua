-- The kernels whose machine code tests/emit/sass.sh looks at.
local function gemm(dt, BK)
  local f = tl.jit(function(A, B)
    local M, N, K = T.const "M, N, K"
    A: T.Tensor({M, K}, dt)
    B: T.Tensor({N, K}, dt)
    local C = T.empty({M, N}, T.float16)
    for bx, by in T.Kernel(T.ceildiv(N, 256), T.ceildiv(M, 128), {threads = 256}) do
      local As = T.alloc_shared({128, BK}, dt)
      local Bs = T.alloc_shared({256, BK}, dt)
      local Cl = T.alloc_fragment({128, 256}, T.float32)
      T.clear(Cl)
      for k in T.Pipelined(T.ceildiv(K, BK), {num_stages = 4}) do
        T.copy(A[by * 128, k * BK], As)
        T.copy(B[bx * 256, k * BK], Bs)
        T.gemm(As, Bs, Cl, {transpose_B = true})
      end
      T.copy(Cl, C[by * 128, bx * 256])
    end
    return C
  end)
  return f:compile{M = 4096, N = 4096, K = 4096}
end

local attention = tl.jit(function(Q, K, V)
  local H, S, D = T.const "H, S, D"
  Q: T.Tensor({H, S, D}, T.float16)
  K: T.Tensor({H, S, D}, T.float16)
  V: T.Tensor({H, S, D}, T.float16)
  local O = T.empty({H, S, D}, T.float16)
  local scale = 1.4426950408889634 / math.sqrt(D)
  for bx, h in T.Kernel(T.ceildiv(S, 128), H, {threads = 256}) do
    local Qs = T.alloc_shared({128, D}, T.float16)
    local Ks = T.alloc_shared({128, D}, T.float16)
    local Vs = T.alloc_shared({128, D}, T.float16)
    local P = T.alloc_fragment({128, 128}, T.float32)
    local Ph = T.alloc_fragment({128, 128}, T.float16)
    local acc = T.alloc_fragment({128, D}, T.float32)
    local m = T.alloc_fragment({128}, T.float32)
    local m_old = T.alloc_fragment({128}, T.float32)
    local shrink = T.alloc_fragment({128}, T.float32)
    local sum = T.alloc_fragment({128}, T.float32)
    local l = T.alloc_fragment({128}, T.float32)
    T.copy(Q[h, bx * 128, 0], Qs)
    T.clear(acc)
    T.clear(l)
    T.fill(m, -T.infinity(T.float32))
    for k in T.Pipelined(T.ceildiv(S, 128), {num_stages = 2}) do
      T.copy(K[h, k * 128, 0], Ks)
      T.clear(P)
      T.gemm(Qs, Ks, P, {transpose_B = true, policy = T.GemmWarpPolicy.FullRow})
      T.copy(m, m_old)
      T.reduce_max(P, m, 1, false)
      for i in T.Parallel(128) do
        shrink[i] = T.exp2((m_old[i] - m[i]) * scale)
      end
      for i, j in T.Parallel(128, 128) do
        P[i, j] = T.exp2(P[i, j] * scale - m[i] * scale)
      end
      T.reduce_sum(P, sum, 1)
      for i in T.Parallel(128) do
        l[i] = l[i] * shrink[i] + sum[i]
      end
      for i, j in T.Parallel(128, D) do
        acc[i, j] *= shrink[i]
      end
      T.copy(P, Ph)
      T.copy(V[h, k * 128, 0], Vs)
      T.gemm(Ph, Vs, acc, {policy = T.GemmWarpPolicy.FullRow})
    end
    for i, j in T.Parallel(128, D) do
      acc[i, j] /= l[i]
    end
    T.copy(acc, O[h, bx * 128, 0])
  end
  return O
end)

local kernels = {
  gemm_f16 = gemm(T.float16, 64),
  gemm_bf16 = gemm(T.bfloat16, 64),
  gemm_fp8 = gemm(T.float8_e4m3fn, 128),
  attention_64 = attention:compile{H = 16, S = 4096, D = 64},
  attention_128 = attention:compile{H = 16, S = 4096, D = 128},
}
for name, k in pairs(kernels) do
  k:export_sources(("%s/%s.cu"):format(arg[1], name))
end
