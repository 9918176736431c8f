-- Run by cuda.sh: the vendor's library on the card.
local K = dofile "lib/kernels.lua"
local vendor = require "moontile.tl.vendor"

-- C = A B with the operands stored as asked for.
local function product(row)
  local M, N, Kk, BM, BN, BK = 256, 192, 128, 64, 64, 64
  local ta, tb, type, out = row.ta or false, row.tb or false, row.type, row.out
  local acc = row.acc or "float32"
  return tl.jit(function(A, B)
    A: T.Tensor(ta and {Kk, M} or {M, Kk}, type)
    B: T.Tensor(tb and {N, Kk} or {Kk, N}, type)
    local C = T.empty({M, N}, out)
    for bx, by in T.Kernel(N // BN, M // BM, {threads = 128}) do
      local As = T.alloc_shared(ta and {BK, BM} or {BM, BK}, type)
      local Bs = T.alloc_shared(tb and {BN, BK} or {BK, BN}, type)
      local Cl = T.alloc_fragment({BM, BN}, acc)
      T.clear(Cl)
      for k in T.Pipelined(Kk // BK, {num_stages = 2}) do
        if ta then T.copy(A[k * BK, by * BM], As) else T.copy(A[by * BM, k * BK], As) end
        if tb then T.copy(B[bx * BN, k * BK], Bs) else T.copy(B[k * BK, bx * BN], Bs) end
        T.gemm(As, Bs, Cl, {transpose_A = ta, transpose_B = tb})
      end
      T.copy(Cl, C[by * BM, bx * BN])
    end
    return C
  end):compile()
end

-- The library's result for the kernel's inputs, against the reference's.
local function right(k, row, values)
  local s, _, args = k:bound(values)
  local bound = {}
  for i, p in ipairs(k.params) do
    bound[p.name] = args[i]
  end
  local r = vendor.routine(k, "cublas", bound)
  local out = r.outputs()[1]
  local m = s:load(r.path, r.name, k.chunk, r.written)
  s:launch(m, {r.inputs[1], r.inputs[2], out}, {})
  local a, b = r.inputs[1], r.inputs[2]
  local want = tl.ref.matmul(row.ta and a:transpose(0, 1):contiguous() or a,
    row.tb and b:transpose(0, 1):contiguous() or b)
  return tl.allclose(out:astype "float32", want:astype "float32", row.tolerance or 2e-2, 0.2)
end

for _, row in ipairs {
  {type = "float16", out = "float16"}, {type = "float16", out = "float16", tb = true},
  {type = "float16", out = "float32", ta = true}, {type = "bfloat16", out = "bfloat16", tb = true},
  {type = "float32", out = "float32", tb = true}, {type = "tfloat32", out = "float32", tb = true},
  {type = "int8", out = "int32", acc = "int32", tb = true},
  {type = "float8_e4m3fn", out = "float16", tb = true},
} do
  local k = product(row)
  local values = k:get_profiler("Randn"):inputs()
  local ok = right(k, row, values)
  local r = k:bench {vs = "cublas", inputs = values, rounds = 10}
  print(row.type, row.ta and "ta" or "-", row.tb and "tb" or "-", ok and "right" or "wrong",
    #r.times, r.vs.name, r.ratio > 0, r.ratio_q1 <= r.ratio, r.of_flops > 0)
end

-- A copy of the same bytes, and a search with timing
local scale = K.scale:compile {N = 1 << 24, BN = 1024, factor = 2}
local r = scale:bench {vs = "copy", rounds = 10}
print("copy", r.vs.name, r.ratio > 0.2, r.ratio < 2)
local best = scale:tune {budget = "20s", space = {BN = {256, 1024, 2048}}}
print("tuned", best.tuning.counts.tried, best.tuning.counts.failed, best.latency > 0)
print("stored", scale:tune({space = {BN = {256, 1024, 2048}}}).tuning.stored ~= nil)
