-- T.gemm: transposes, types, scopes, accumulation.
local check = dofile "lib/check.lua"
tl.manual_seed(5)

local matmul = tl.jit(function(A, B, ta, tb, din, dacc, scopes, BM, BN, BK, how)
  local M, N, K = T.const "M, N, K"
  if ta then A: T.Tensor({K, M}, din) else A: T.Tensor({M, K}, din) end
  if tb then B: T.Tensor({N, K}, din) else B: T.Tensor({K, N}, din) end
  local C = T.empty({M, N}, dacc)
  for bx, by in T.Kernel(T.ceildiv(N, BN), T.ceildiv(M, BM), {threads = 128}) do
    local alloc = {S = T.alloc_shared, F = T.alloc_fragment}
    local As = alloc[scopes:sub(1, 1)](ta and {BK, BM} or {BM, BK}, din)
    local Bs = alloc[scopes:sub(2, 2)](tb and {BN, BK} or {BK, BN}, din)
    local Cl = T.alloc_fragment({BM, BN}, dacc)
    if how ~= "clear_accum" then T.clear(Cl) end
    for ko in T.Pipelined(T.ceildiv(K, BK), {num_stages = how == "stages" and 3 or 0}) do
      if ta then T.copy(A[ko * BK, by * BM], As) else T.copy(A[by * BM, ko * BK], As) end
      if tb then T.copy(B[bx * BN, ko * BK], Bs) else T.copy(B[ko * BK, bx * BN], Bs) end
      if how == "clear_accum" then
        T.gemm(As, Bs, Cl, {transpose_A = ta, transpose_B = tb, clear_accum = ko == 0,
          policy = T.GemmWarpPolicy.FullRow})
      else
        T.gemm(As, Bs, Cl, ta, tb)
      end
    end
    T.copy(Cl, C[by * BM, bx * BN])
  end
  return C
end)

local function one(M, N, K, ta, tb, din, dacc, scopes, BM, BN, BK, how)
  local function make(r, c, t)
    local shape = t and {c, r} or {r, c}
    return din:find "int" and tl.randint(-8, 8, shape, din) or tl.randn(shape):to(din)
  end
  local a, b = make(M, K, ta), make(K, N, tb)
  local c = matmul(a, b, ta, tb, din, dacc, scopes, BM, BN, BK, how)
  local fa, fb = a:to("float64"), b:to("float64")
  if ta then fa = fa:transpose() end
  if tb then fb = fb:transpose() end
  local want = tl.ref.matmul(fa:contiguous(), fb:contiguous())
  local eps = dacc == "float16" and 2e-2 or dacc == "float64" and 1e-12 or
    dacc == "int32" and 0 or 1e-4
  check.close(("%dx%dx%d %s %s%s %s->%s %s"):format(M, N, K, scopes, ta and "T" or "N",
    tb and "T" or "N", din, dacc, how or ""), c, want, eps)
end

for _, ta in ipairs {false, true} do
  for _, tb in ipairs {false, true} do
    one(37, 45, 70, ta, tb, "float16", "float32", "SS", 32, 32, 32)
    one(37, 45, 70, ta, tb, "int8", "int32", "SS", 32, 32, 32)
    one(17, 45, 33, ta, tb, "float32", "float32", "FS", 16, 32, 16)
  end
end
for _, d in ipairs {{"bfloat16", "float32"}, {"float8_e4m3fn", "float32"},
  {"float8_e5m2", "float32"}, {"float16", "float16"}, {"float64", "float64"},
  {"uint8", "int32"}} do
  if d[1] ~= "uint8" then one(33, 20, 65, false, true, d[1], d[2], "SS", 32, 16, 32) end
end
one(40, 50, 60, false, false, "float16", "float32", "FF", 16, 16, 16)
one(40, 50, 60, false, true, "float16", "float32", "SF", 16, 16, 16)
one(40, 50, 60, false, false, "float16", "float32", "SS", 16, 16, 16, "stages")
one(40, 50, 60, true, true, "float16", "float32", "SS", 16, 16, 16, "clear_accum")
one(3, 5, 7, false, false, "float16", "float32", "SS", 64, 64, 64)

-- two products in one block, the second from the accumulator of the first
local chain = tl.jit(function(A, B, C)
  local M, K, N, L = T.const "M, K, N, L"
  A: T.Tensor({M, K}, T.float16)
  B: T.Tensor({K, N}, T.float16)
  C: T.Tensor({N, L}, T.float16)
  local D = T.empty({M, L}, T.float32)
  for bx in T.Kernel(1) do
    local As, Bs = T.alloc_shared({M, K}, T.float16), T.alloc_shared({K, N}, T.float16)
    local Cs = T.alloc_shared({N, L}, T.float16)
    local P, Ph = T.alloc_fragment({M, N}, T.float32), T.alloc_fragment({M, N}, T.float16)
    local Dl = T.alloc_fragment({M, L}, T.float32)
    T.copy(A, As)
    T.copy(B, Bs)
    T.copy(C, Cs)
    T.gemm(As, Bs, P, {clear_accum = true})
    T.copy(P, Ph)
    T.fill(Dl, 1)
    T.gemm(Ph, Cs, Dl)
    T.gemm(Ph, Cs, Dl)
    T.copy(Dl, D)
  end
  return D
end)
local a, b, c = tl.randn({16, 32}, "float16"), tl.randn({32, 16}, "float16"), tl.randn({16, 24}, "float16")
check.close("chain", chain(a, b, c),
  2 * tl.ref.matmul(tl.ref.matmul(a, b):to("float16"), c):to("float32") + 1, 2e-2)

-- a product of a slice, of a view, of one stage of a ring
local parts = tl.jit(function(A, B)
  A: T.Tensor({32, 64}, T.float16)
  B: T.Tensor({64, 16}, T.float16)
  local C = T.empty({32, 16}, T.float32)
  for bx in T.Kernel(1) do
    local As, Bs = T.alloc_shared({2, 32, 32}, T.float16), T.alloc_shared({64, 16}, T.float16)
    local Cl = T.alloc_fragment({32, 16}, T.float32)
    T.clear(Cl)
    T.copy(B, Bs)
    for k in T.serial(2) do
      T.copy(A[0, k * 32], As[k, 0:32, 0:32])
      T.gemm(As[k, :, :], Bs[k * 32:(k + 1) * 32, :], Cl)
    end
    T.copy(Cl, C)
  end
  return C
end)
a, b = tl.randn({32, 64}, "float16"), tl.randn({64, 16}, "float16")
check.close("slices", parts(a, b), tl.ref.matmul(a, b), 1e-2)

-- split K with atomics, stream of tiles by T.Persistent, rasterisation
local splitk = tl.jit(function(A, B, C, split)
  local M, N, K = T.const "M, N, K"
  A: T.Tensor({M, K}, T.float16)
  B: T.Tensor({K, N}, T.float16)
  C: T.Tensor({M, N}, T.float32)
  for bx, by, bz in T.Kernel(T.ceildiv(N, 32), T.ceildiv(M, 32), split) do
    T.use_swizzle(4, "row", true)
    local As, Bs = T.alloc_shared({32, 16}, T.float16), T.alloc_shared({16, 32}, T.float16)
    local Cl = T.alloc_fragment({32, 32}, T.float32)
    T.clear(Cl)
    for ko in T.Pipelined(T.ceildiv(T.ceildiv(K, 16), split)) do
      local k = (ko * split + bz) * 16
      T.copy(A[by * 32, k], As)
      T.copy(B[k, bx * 32], Bs)
      T.gemm(As, Bs, Cl)
    end
    T.atomic_add(C[by * 32, bx * 32], Cl)
  end
end)
a, b = tl.randn({50, 99}, "float16"), tl.randn({99, 41}, "float16")
c = tl.ones({50, 41})
splitk(a, b, c, 3)
check.close("split K", c, tl.ref.matmul(a, b):to("float32") + 1, 1e-2)

local persistent = tl.jit(function(A, B, blocks)
  local M, N, K = T.const "M, N, K"
  A: T.Tensor({M, K}, T.float16)
  B: T.Tensor({K, N}, T.float16)
  local C = T.empty({M, N}, T.float32)
  for bid in T.Kernel(blocks) do
    local As, Bs = T.alloc_shared({16, 16}, T.float16), T.alloc_shared({16, 16}, T.float16)
    local Cl = T.alloc_fragment({16, 16}, T.float32)
    for bx, by in T.Persistent({T.ceildiv(M, 16), T.ceildiv(N, 16)}, blocks, bid) do
      T.clear(Cl)
      for ko in T.Pipelined(T.ceildiv(K, 16), {num_stages = 2}) do
        T.copy(A[bx * 16, ko * 16], As)
        T.copy(B[ko * 16, by * 16], Bs)
        T.gemm(As, Bs, Cl)
      end
      T.copy(Cl, C[bx * 16, by * 16])
    end
  end
  return C
end)
for _, blocks in ipairs {1, 5, 64} do
  check.close("persistent on " .. blocks, persistent(a, b, blocks), tl.ref.matmul(a, b), 1e-2)
end

check.done()
