-- Products whose results leave by TMA, whose blocks loop over tiles and work in
-- pairs: executed by the simulator as cards of few multiprocessors, compared with
-- the reference; and which of these ways each one took.
tl.manual_seed(11)

local function product(o)
  local ta, tb = o.ta or false, o.tb or false
  local BM, BN, BK = o[1], o[2], o[3]
  return tl.jit(function(A, B)
    local M, N = T.const "M, N"
    local K = o.dynamic and T.dynamic "K" or T.const "K"
    A: T.Tensor(ta and {K, M} or {M, K}, o.a)
    B: T.Tensor(tb and {N, K} or {K, N}, o.a)
    local C = T.empty({M, N}, o.c)
    for bx, by in T.Kernel(T.ceildiv(N, BN), T.ceildiv(M, BM), {threads = o.threads or 256}) do
      if o.alone then T.annotate_min_blocks_per_sm(1) end
      if o.swizzle then
        T.use_swizzle(2)
      end
      local As = T.alloc_shared(ta and {BK, BM} or {BM, BK}, o.a)
      local Bs = T.alloc_shared(tb and {BN, BK} or {BK, BN}, o.a)
      local Cl = T.alloc_fragment({BM, BN}, o.acc or "float32")
      T.clear(Cl)
      for k in T.Pipelined(T.ceildiv(K, BK), {num_stages = o.stages or 4}) do
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
        T.gemm(As, Bs, Cl, {transpose_A = ta, transpose_B = tb})
      end
      if o.out == "hand" then
        local Cs = T.alloc_shared({BM, BN}, o.c)
        T.copy(Cl, Cs)
        T.copy(Cs, C[by * BM, bx * BN])
      elseif o.out == "nest" then
        for i, j in T.Parallel(BM, BN) do
          C[by * BM + i, bx * BN + j] = T.max(Cl[i, j], 0)
        end
      else
        T.copy(Cl, C[by * BM, bx * BN])
      end
    end
    return C
  end)
end

local function values(shape, dtype)
  if dtype == "int8" then
    return tl.randint(-4, 5, shape, "int32"):astype(dtype)
  end
  return tl.randn(shape, "float32"):astype(dtype)
end

local f16, f32, bf16, e4m3 = "float16", "float32", "bfloat16", "float8_e4m3fn"
local cases = {
  {"two consumers", 4, {128, 256, 64, a = f16, c = f16}, 512, 512, 192},
  {"one tile a block, in pairs", 8, {128, 256, 64, a = bf16, c = bf16}, 512, 512, 192},
  {"odd tiles", 2, {128, 128, 64, a = f16, c = f16}, 384, 384, 64},
  {"ragged rows", 4, {128, 128, 64, a = f16, c = f16, tb = true}, 500, 264, 200},
  {"ragged pitch", 4, {128, 128, 64, a = f16, c = f16, tb = true}, 256, 257, 128},
  {"three consumers", 4, {192, 256, 64, a = bf16, c = bf16, threads = 384, tb = true}, 768, 512, 320},
  {"both transposed", 4, {128, 256, 64, a = f16, c = f16, ta = true, tb = true}, 512, 512, 192},
  {"float32 results", 4, {128, 128, 64, a = f16, c = f32}, 256, 512, 192},
  {"staged by hand", 4, {128, 64, 64, a = f16, c = f16, out = "hand", alone = true}, 256, 256, 128},
  {"side by side", 4, {128, 64, 64, a = f16, c = f16, out = "hand"}, 256, 256, 128},
  {"a nest", 4, {128, 96, 64, a = f16, c = f16, out = "nest"}, 256, 384, 128},
  {"dynamic k", 4, {128, 128, 64, a = f16, c = f16, dynamic = true, tb = true}, 512, 256, 200},
  {"one stage", 4, {128, 128, 64, a = f16, c = f16, stages = 1}, 512, 256, 128},
  {"use_swizzle", 4, {128, 128, 64, a = f16, c = f16, swizzle = true}, 512, 512, 64},
  {"fp8", 4, {128, 256, 128, a = e4m3, c = bf16, tb = true}, 512, 512, 384},
  {"int8", 4, {128, 256, 128, a = "int8", c = "int32", acc = "int32", tb = true}, 512, 512, 256},
  {"products by warps", 2, {32, 64, 32, a = f16, c = f16, threads = 128}, 64, 256, 128},
}

local function count(text, what)
  return select(2, text:gsub(what, ""))
end

for _, x in ipairs(cases) do
  local name, sms, o, M, N, K = table.unpack(x)
  local a = values(o.ta and {K, M} or {M, K}, o.a)
  local b = values(o.tb and {N, K} or {K, N}, o.a)
  local wide = o.c == "int32" and "int64" or "float64"
  local p, q = a:astype(wide), b:astype(wide)
  local want = tl.ref.matmul(o.ta and p:transpose(0, 1):contiguous() or p,
    o.tb and q:transpose(0, 1):contiguous() or q)
  if o.out == "nest" then
    want = tl.ref.relu(want)
  end
  local k = product(o):compile {M = M, N = N, K = not o.dynamic and K or nil}
  for _, seed in ipairs {"", " -seed=3"} do
    local s = k:retarget(("sim -arch=sm_90a -sms=%d%s"):format(sms, seed))
    tl.testing.assert_close(s(a, b):astype(wide), want, {rtol = 2e-2, atol = 0.3})
  end
  local text = k:retarget(("sim -arch=sm_90a -sms=%d"):format(sms)):ir "thread"
  print(("%-28s %s%s%s%s"):format(name .. ":",
    text:find "wave in" and "loops over tiles, " or "",
    count(text, ", 3 swizzle") > 0 and "in pairs, " or text:find "cluster=" and "clusters, " or "",
    text:find "stmatrix" and "stmatrix, " or "", text:find "tma_store" and "TMA" or "stores"))
end
