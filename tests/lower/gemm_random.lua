-- Products by matrix instructions against exact ones: element types, tiles,
-- warps, policies, transpositions, operands in shared memory and in registers,
-- pipelines and ragged edges drawn at random, with small integers as values.
math.randomseed(20)
tl.manual_seed(20)

local function pick(t)
  return t[math.random(#t)]
end

local function product(o)
  local ta, tb = o.ta, o.tb
  return tl.jit(function(A, B)
    local M, N, K = T.const "M, N, K"
    A: T.Tensor(ta and {K, M} or {M, K}, o.a)
    B: T.Tensor(tb and {N, K} or {K, N}, o.b)
    local C = T.empty({M, N}, o.c)
    local BM, BN, BK = o.BM, o.BN, o.BK
    for bx, by in T.Kernel(T.ceildiv(N, BN), T.ceildiv(M, BM), {threads = o.threads}) do
      local As = T.alloc_shared(ta and {BK, BM} or {BM, BK}, o.a)
      local Bs = T.alloc_shared(tb and {BN, BK} or {BK, BN}, o.b)
      local Af = o.ra and T.alloc_fragment(ta and {BK, BM} or {BM, BK}, o.a)
      local Bf = o.rb and T.alloc_fragment(tb and {BN, BK} or {BK, BN}, o.b)
      local Cl = T.alloc_fragment({BM, BN}, o.c)
      T.clear(Cl)
      for k in T.Pipelined(T.ceildiv(K, BK), {num_stages = o.stages}) do
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
        if o.ra then
          T.copy(As, Af)
        end
        if o.rb then
          T.copy(Bs, Bf)
        end
        T.gemm(Af or As, Bf or Bs, Cl,
          {transpose_A = ta, transpose_B = tb, policy = o.policy, k_pack = o.k_pack})
      end
      if o.staged then
        local Cs = T.alloc_shared({BM, BN}, o.c)
        T.copy(Cl, Cs)
        T.copy(Cs, C[by * BM, bx * BN])
      else
        T.copy(Cl, C[by * BM, bx * BN])
      end
    end
    return C
  end)
end

local function values(shape, dtype)
  return tl.randint(dtype:find "^u" and 0 or -3, 4, shape, "int32"):astype "float32":astype(dtype)
end

local types = {
  {"float16", "float16", "float32"}, {"float16", "float16", "float16"},
  {"bfloat16", "bfloat16", "float32"}, {"bfloat16", "bfloat16", "bfloat16"},
  {"tfloat32", "tfloat32", "float32"}, {"float32", "float32", "float32"},
  {"float64", "float64", "float64"}, {"int8", "int8", "int32"}, {"uint8", "int8", "int32"},
  {"float8_e4m3fn", "float8_e5m2", "float32"}, {"float8_e4m3fn", "float8_e4m3fn", "float16"},
}

-- K stays small enough for sums of narrow types to be exact.
local function draw()
  local p = pick(types)
  local o = {a = p[1], b = p[2], c = p[3], BM = pick {16, 32, 64, 64, 128, 48},
    BN = pick {8, 16, 32, 64, 80, 128}, BK = pick {16, 32, 32, 64, 8},
    threads = pick {32, 64, 128, 128, 256}, ta = pick {true, false}, tb = pick {true, false},
    policy = pick {0, 1, 2}, k_pack = pick {1, 2}, stages = pick {0, 1, 2, 3},
    ra = pick {true, false, false}, rb = pick {true, false, false, false},
    staged = pick {true, false}}
  if o.a == "float64" then
    o.BM, o.BN, o.BK = math.min(o.BM, 32), math.min(o.BN, 32), math.min(o.BK, 16)
  end
  if o.c == "bfloat16" then
    o.BK = 8
  end
  return o
end

local function show(o)
  local words = {}
  for k, v in pairs(o) do
    words[#words + 1] = k .. "=" .. tostring(v)
  end
  table.sort(words)
  return table.concat(words, " ")
end

for _, arch in ipairs {"sm_80", "sm_89", "sm_90a", "c500", "gfx942", "simt"} do
  local good, count = 0, 8
  for _ = 1, count do
    local o = draw()
    local M, N = o.BM * 2 - pick {0, 0, 3}, o.BN + pick {0, 0, 5}
    local K = o.BK * pick {1, 2, 3} - pick {0, 0, 1}
    local a, b = values(o.ta and {K, M} or {M, K}, o.a), values(o.tb and {N, K} or {K, N}, o.b)
    local x, y = a:astype "float64", b:astype "float64"
    local want = tl.ref.matmul(o.ta and x:transpose(0, 1):contiguous() or x,
      o.tb and y:transpose(0, 1):contiguous() or y)
    local f = product(o)
    f.opts.target = "sim -arch=" .. arch
    local ok, err = pcall(function()
      tl.testing.assert_close(f(a, b), want:astype(o.c), {rtol = 0, atol = 0})
    end)
    if ok then
      good = good + 1
    else
      print(arch, M, N, K, show(o))
      print(err)
    end
  end
  print(("%s: %d of %d agree"):format(arch, good, count))
end
