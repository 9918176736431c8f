-- Products: every dtype pair, policy, transposition; ragged sizes; operands in
-- shared memory and in registers; pipelines of every depth and trip count.
local conform = dofile "lib/conform.lua"
tl.manual_seed(2)

local function product(o)
  local ta, tb = o.ta or false, o.tb or false
  return tl.jit(function(A, B)
    local M, N, K = T.const "M, N, K"
    A: T.Tensor(ta and {K, M} or {M, K}, o.a)
    B: T.Tensor(tb and {N, K} or {K, N}, o.b or o.a)
    local C = T.empty({M, N}, o.c)
    local BM, BN, BK = o.BM or 64, o.BN or 64, o.BK or 32
    for bx, by in T.Kernel(T.ceildiv(N, BN), T.ceildiv(M, BM), {threads = o.threads or 128}) do
      local As = T.alloc_shared(ta and {BK, BM} or {BM, BK}, o.a)
      local Bs = T.alloc_shared(tb and {BN, BK} or {BK, BN}, o.b or o.a)
      local Cl = T.alloc_fragment({BM, BN}, o.c)
      T.clear(Cl)
      for k in T.Pipelined(T.ceildiv(K, BK), {num_stages = o.stages or 2}) do
        if ta then
          T.copy(A[k * BK, by * BM], As)
        else
          T.copy(A[by * BM, k * BK], As)
        end
        if tb then
          T.copy(B[bx * BN, k * BK], Bs)
        else
          T.copy(B[k * BK, bx * BN], Bs)
        end
        if o.regs then
          local Af = T.alloc_fragment(ta and {BK, BM} or {BM, BK}, o.a)
          T.copy(As, Af)
          T.gemm(Af, Bs, Cl, {transpose_A = ta, transpose_B = tb, policy = o.policy})
        else
          T.gemm(As, Bs, Cl, {transpose_A = ta, transpose_B = tb, policy = o.policy})
        end
      end
      T.copy(Cl, C[by * BM, bx * BN])
    end
    return C
  end)
end

local function values(shape, dtype)
  if dtype:find "int" then
    return tl.randint(dtype:find "^u" and 0 or -4, 5, shape, "int32"):astype(dtype)
  end
  return tl.randn(shape, "float32"):astype(dtype)
end

local loose = {
  float16 = {rtol = 1e-2, atol = 2e-2}, float32 = {rtol = 2e-3, atol = 2e-3},
  float64 = {rtol = 1e-12, atol = 1e-12}, int32 = {rtol = 0, atol = 0},
}

local function check(name, o, M, N, K)
  local a = values(o.ta and {K, M} or {M, K}, o.a)
  local b = values(o.tb and {N, K} or {K, N}, o.b or o.a)
  local wide = o.c == "int32" and "int64" or "float64"
  local x, y = a:astype(wide), b:astype(wide)
  local want = tl.ref.matmul(o.ta and x:transpose(0, 1):contiguous() or x,
    o.tb and y:transpose(0, 1):contiguous() or y)
  conform.case(name, product(o), {}, {a, b}, {want:astype(o.c)}, loose[o.c])
end

-- Types
for _, t in ipairs {{"float16", "float32"}, {"float16", "float16"}, {"bfloat16", "float32"},
  {"float32", "float32"}, {"tfloat32", "float32"}, {"float64", "float64"}, {"int8", "int32"}, {"uint8", "int32"},
  {"float8_e4m3fn", "float32"}, {"float8_e5m2", "float32"}} do
  check(("%s -> %s"):format(t[1], t[2]), {a = t[1], c = t[2], tb = t[1]:find "8" and true or false},
    64, 64, 64)
end
check("e4m3 by e5m2", {a = "float8_e4m3fn", b = "float8_e5m2", c = "float32", tb = true}, 64, 64, 64)

-- Transpositions, with operands in registers too
for _, ta in ipairs {false, true} do
  for _, tb in ipairs {false, true} do
    for _, regs in ipairs {false, true} do
      check(("transposed %s %s%s"):format(ta, tb, regs and ", A in registers" or ""),
        {a = "float16", c = "float32", ta = ta, tb = tb, regs = regs}, 128, 64, 96)
    end
  end
end

-- Policies and shapes of the tile
for _, name in ipairs {"Square", "FullRow", "FullCol"} do
  for _, tile in ipairs {{64, 64}, {128, 32}, {32, 128}, {16, 64}, {128, 128}} do
    check(("policy %s, tile %dx%d"):format(name, tile[1], tile[2]), {a = "float16", c = "float32",
      policy = T.GemmWarpPolicy[name], BM = tile[1], BN = tile[2]}, 128, 128, 64)
  end
end
check("two warp groups", {a = "float16", c = "float32", BM = 128, BN = 128, threads = 256}, 128, 128, 64)
check("wide tile", {a = "bfloat16", c = "float32", BM = 64, BN = 256, threads = 128}, 64, 256, 64)
check("k of 128 bytes", {a = "float16", c = "float32", BK = 64, tb = true}, 128, 64, 192)

-- Ragged edges
for _, s in ipairs {{65, 63, 33}, {1, 1, 1}, {100, 30, 70}, {64, 64, 31}, {129, 64, 40}} do
  check(("ragged %dx%dx%d"):format(s[1], s[2], s[3]), {a = "float16", c = "float32"}, s[1], s[2], s[3])
end

-- Pipelines: depths 0 to 6, trip counts around the depth
for stages = 0, 6 do
  local seen = {}
  for _, trips in ipairs {0, 1, stages - 1, stages, stages + 1, 2 * stages + 1} do
    if trips >= 0 and not seen[trips] then
      seen[trips] = true
      check(("%d stages, %d steps"):format(stages, trips), {a = "float16", c = "float32",
        stages = stages, BM = 64, BN = 32, BK = 16}, 64, 32, math.max(trips * 16, 0))
    end
  end
end
conform.done()
