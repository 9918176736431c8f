-- plot(k, "stages"): a pipelined loop as statements by steps, on machines that pipeline
-- by cp.async, by registers, by TMA with a producer role, and not at all.
local gemm = tl.jit(function(A, B, BM, BN, BK, S)
  local M, N, K = T.const "M, N, K"
  A: T.Tensor({M, K}, T.float16)
  B: T.Tensor({K, N}, T.float16)
  local C = T.empty({M, N}, T.float16)
  for bx, by in T.Kernel(T.ceildiv(N, BN), T.ceildiv(M, BM), {threads = 128}) do
    local As = T.alloc_shared({BM, BK}, T.float16)
    local Bs = T.alloc_shared({BK, BN}, T.float16)
    local Cl = T.alloc_fragment({BM, BN}, T.float32)
    T.clear(Cl)
    for ko in T.Pipelined(T.ceildiv(K, BK), {num_stages = S}) do
      T.copy(A[by * BM, ko * BK], As)
      T.copy(B[ko * BK, bx * BN], Bs)
      T.gemm(As, Bs, Cl)
    end
    T.copy(Cl, C[by * BM, bx * BN])
  end
  return C
end, {target = "cpu"})

local function show(what, ...)
  print("=== " .. what)
  plot(...)
end

local k = gemm:compile {M = 512, N = 512, K = 256, BM = 64, BN = 64, BK = 32, S = 3}
show("cp.async", k, "stages")
show("a producer and consumers", k, "stages", {target = "sim -arch=sm_90a"})
show("through registers", k, "stages", {target = "sim -arch=sm_75"})
k = gemm:compile {M = 512, N = 512, K = 4096, BM = 64, BN = 64, BK = 32, S = 2}
show("many steps", k, "stages")
show("in 40 columns", k, "stages", {width = 40})
show("ASCII", k, "stages", {width = 60, unicode = false})
k = gemm:compile {M = 512, N = 512, K = 64, BM = 64, BN = 64, BK = 32, S = 4}
show("fewer iterations than stages", k, "stages")
k = gemm:compile {M = 512, N = 512, K = 256, BM = 64, BN = 64, BK = 32, S = 0}
show("no stages", k, "stages")
k = gemm:compile {M = 512, N = 512, K = 256, BM = 128, BN = 128, BK = 128, S = 4}
show("not enough shared memory", k, "stages", {target = "sim -arch=gfx942"})

local twice = tl.jit(function(X)
  local N = T.dynamic "N"
  X: T.Tensor({N, 64}, T.float32)
  local Y = T.empty({2, 64}, T.float32)
  for bx in T.Kernel(1, {threads = 64}) do
    local s = T.alloc_shared({64}, T.float32)
    local a = T.alloc_fragment({64}, T.float32)
    T.clear(a)
    for i in T.Pipelined(N, {num_stages = 2}) do
      T.copy(X[i, 0], s)
      for j in T.Parallel(64) do
        a[j] += s[j]
      end
    end
    T.copy(a, Y[0, 0])
    for i in T.Pipelined(4, {num_stages = 2}) do
      T.copy(X[i, 0], s)
      for j in T.Parallel(64) do
        a[j] = a[j] * s[j]
      end
    end
    T.copy(a, Y[1, 0])
  end
  return Y
end, {target = "cpu"}):compile {}
show("a count that is not known", twice, "stages")
show("one that is given", twice, "stages", {dims = {N = 5}})
show("the second loop", twice, "stages", {loop = 2})
print(select(2, pcall(plot, twice, "stages", {loop = 3})))

local plain = tl.jit(function(X)
  X: T.Tensor({64}, T.float32)
  for bx in T.Kernel(1) do
    T.fill(X, 0)
  end
end, {target = "cpu"}):compile {}
print(select(2, pcall(plot, plain, "stages")))
print(select(2, pcall(plot, plain, "shared")))
print(select(2, pcall(plot, plain, "roofline")))
print(select(2, pcall(plot, plain, "stage")))
