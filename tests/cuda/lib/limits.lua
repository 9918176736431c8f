-- Kernels that meet a limit, each by its name.
local add = tl.jit(function(x)
  local n = T.dynamic "n"
  x: T.Tensor({n}, T.float32)
  local y = T.empty({n}, T.float32)
  for bx in T.Kernel(T.ceildiv(n, 512), {threads = 128}) do
    local s = T.alloc_fragment({512}, T.float32)
    T.copy(x[bx * 512], s)
    T.copy(s, y[bx * 512])
  end
  return y
end)

local function tall(blocks)
  return tl.jit(function(x)
    x: T.Tensor({blocks, 16}, T.float32)
    for _, by in T.Kernel(1, blocks, {threads = 512}) do
      for i in T.Parallel(16) do x[by, i] = x[by, i] + 1 end
    end
  end)
end

-- Two launches through a workspace, the first with a barrier of all blocks.
local function synced(blocks)
  return tl.jit(function(x)
    x: T.Tensor({blocks, 128}, T.float32)
    local w = T.alloc_global({blocks, 128}, T.float32)
    for bx in T.Kernel(blocks, {threads = 128}) do
      for i in T.Parallel(128) do w[bx, i] = x[bx, i] * 2 end
      T.sync_grid()
      for i in T.Parallel(128) do x[bx, i] = w[(bx + 1) % blocks, i] end
    end
    for bx in T.Kernel(blocks, {threads = 64}) do
      for i in T.Parallel(128) do x[bx, i] = x[bx, i] + w[bx, i] end
    end
  end)
end

local gemm = tl.jit(function(A, B)
  local K = T.dynamic "K"
  A: T.Tensor({256, K}, T.float16)
  B: T.Tensor({K, 256}, T.float16)
  local C = T.empty({256, 256}, T.float32)
  for bx, by in T.Kernel(2, 2, {threads = 128}) do
    local As = T.alloc_shared({128, 64}, T.float16)
    local Bs = T.alloc_shared({64, 128}, T.float16)
    local Cl = T.alloc_fragment({128, 128}, T.float32)
    T.clear(Cl)
    for k in T.Pipelined(T.ceildiv(K, 64), {num_stages = 3}) do
      T.copy(A[by * 128, k * 64], As)
      T.copy(B[k * 64, bx * 128], Bs)
      T.gemm(As, Bs, Cl)
    end
    T.copy(Cl, C[by * 128, bx * 128])
  end
  return C
end)

-- Large enough for copies that several threads share.
local function large()
  local n = 5000001
  local x = tl.randn({n}, "float32")
  local twice = tl.jit(function(a)
    a: T.Tensor({n}, T.float32)
    local b = T.empty({n}, T.float32)
    for bx in T.Kernel(T.ceildiv(n, 512), {threads = 128}) do
      for i in T.Parallel(512) do b[bx * 512 + i] = a[bx * 512 + i] * 2 end
    end
    return b
  end)
  local y = twice(x)
  for _ = 1, 3 do y = twice(x) end
  assert(tl.allclose(y, tl.ref.add(x, x)))
end

local function product(k)
  return gemm(tl.zeros({256, k}, "float16"), tl.zeros({k, 256}, "float16"))
end

local case = {
  aligned = function() add(tl.zeros({1025}, "float32")) end,
  moved = function() add(tl.zeros({1025}, "float32")[1:1025]) end,
  tall = function() tall(70000)(tl.zeros({70000, 16}, "float32")) end,
  threads = function() tall(1)(tl.zeros({1, 16}, "float32")) end,
  gemm = function() product(512) end,
  large = large,
  synced = function() synced(8)(tl.zeros({8, 128}, "float32")) end,
  crowd = function() synced(3000)(tl.zeros({3000, 128}, "float32")) end,
}
case[arg[1]]()
print "it ran"
