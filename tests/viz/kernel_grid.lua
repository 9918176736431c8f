-- plot(k): which block works on which tile, in which order; what one block touches.
local function gemm(swizzle, threads)
  return tl.jit(function(A, B, BM, BN, BK)
    local M, N, K = T.const "M, N, K"
    A: T.Tensor({M, K}, T.float16)
    B: T.Tensor({K, N}, T.float16)
    local C = T.empty({M, N}, T.float16)
    for bx, by in T.Kernel(T.ceildiv(N, BN), T.ceildiv(M, BM), {threads = threads}) do
      local As = T.alloc_shared({BM, BK}, T.float16)
      local Bs = T.alloc_shared({BK, BN}, T.float16)
      local Cl = T.alloc_fragment({BM, BN}, T.float32)
      if swizzle then
        T.use_swizzle(swizzle)
      end
      T.clear(Cl)
      for ko in T.Pipelined(T.ceildiv(K, BK), {num_stages = 3}) do
        T.copy(A[by * BM, ko * BK], As)
        T.copy(B[ko * BK, bx * BN], Bs)
        T.gemm(As, Bs, Cl)
      end
      T.copy(Cl, C[by * BM, bx * BN])
    end
    return C
  end, {target = "cpu"})
end

local function show(what, ...)
  print("=== " .. what)
  plot(...)
end

local k = gemm(nil, 128):compile {M = 1000, N = 500, K = 200, BM = 128, BN = 128, BK = 32}
show("rows first, sizes that are no multiples", k)
show("what the last block touches", k, {block = {3, 7}})
k = gemm(2, 128):compile {M = 512, N = 512, K = 64, BM = 64, BN = 64, BK = 32}
show("T.use_swizzle", k)
k = gemm(nil, 256):compile {M = 2048, N = 2048, K = 512, BM = 128, BN = 256, BK = 64}
show("clusters of two", k, {target = "sim -arch=sm_90a"})
k = gemm(nil, 256):compile {M = 3072, N = 2048, K = 512, BM = 128, BN = 128, BK = 64}
show("blocks that walk over tiles", k, {target = "sim -arch=sm_90a"})

local line = tl.jit(function(X)
  local N = T.const "N"
  X: T.Tensor({N}, T.float32)
  local Y = T.empty({N}, T.float32)
  for bx in T.Kernel(T.ceildiv(N, 64)) do
    for i in T.Parallel(64) do
      Y[bx * 64 + i] = X[bx * 64 + i] * 2
    end
  end
  return Y
end, {target = "cpu"})
show("one dimension", line:compile {N = 2000})
show("its block 3", line:compile {N = 2000}, {block = {3}})

local cube = tl.jit(function(X)
  X: T.Tensor({2, 3, 64}, T.float32)
  for x, y, z in T.Kernel(4, 3, 2) do
    for i in T.Parallel(16) do
      X[z, y, x * 16 + i] += 1
    end
  end
end, {target = "cpu"})
show("three dimensions", cube:compile {})
show("the second layer", cube:compile {}, {layer = 1})
show("a block of it", cube:compile {}, {block = {1, 2, 1}})

local dynamic = tl.jit(function(X)
  local N = T.dynamic "N"
  X: T.Tensor({N}, T.float32)
  for bx in T.Kernel(T.ceildiv(N, 64)) do
    for i in T.Parallel(64) do
      X[bx * 64 + i] = 0
    end
  end
end, {target = "cpu"}):compile {}
print(select(2, pcall(plot, dynamic)))
show("a size that is given", dynamic, {dims = {N = 200}})
dynamic(tl.zeros {300})
show("the size of the last call", dynamic)

print("=== two launches, one at a time")
local two = tl.jit(function(X)
  X: T.Tensor({64}, T.float32)
  for bx in T.Kernel(2) do
    for i in T.Parallel(32) do X[bx * 32 + i] += 1 end
  end
  for bx in T.Kernel(4) do
    for i in T.Parallel(16) do X[bx * 16 + i] *= 2 end
  end
end, {target = "cpu"}):compile {}
plot(two)
plot(two, {launch = 2})
print(select(2, pcall(plot, two, {launch = 3})))
