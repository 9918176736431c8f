-- k:bench: its table, with the measured numbers masked, and its fields.
local K = dofile "lib/kernels.lua"
local function gemm(BM, BN)
  return K.gemm:compile {M = 96, N = 64, K = 32, BM = BM, BN = BN, BK = 32, stages = 2,
    threads = 64}
end
local g, other = gemm(32, 32), gemm(16, 16)

local function show(r)
  print((K.masked(r):gsub("%d+ runs", "N runs"):gsub("%d+ rounds", "N rounds")
    :gsub("(ratio +)[%d.]+ +[%d.]+ %.%. [%d.]+", "%1R"):gsub("  +", "  ")))
end

local r = g:bench {rounds = 12, n_warmup = 1}
show(r)
print(r.runs, #r.times, r.ms > 0, r.q1 <= r.ms, r.ms <= r.q3, r.flops, r.bytes)
print(r > 0, r < 1e9, 0 < r, r >= r, r.vs, r.flushed)

-- Beside others in the same rounds
local v = g:bench {vs = other, rounds = 5, flush = false, batch = 2}
show(v)
print(v.vs.name, #v.vs.times, v.ratio > 0, v.ratio_q1 <= v.ratio, v.ratio <= v.ratio_q3)
local w = g:bench {vs = function(a, b) tl.ref.matmul(a, b) end, rounds = 3}
show(w)
print(w.vs.wall, w.vs.name, w.ratio_rounds)

-- Sizes of symbols, scalars, integers, and the simulator
local s = tl.jit(function(A, scale)
  local N = T.dynamic "N"
  A: T.Tensor({N}, T.int32)
  scale: T.int32
  local C = T.empty({N}, T.int32)
  for bx in T.Kernel(T.ceildiv(N, 32), {threads = 32}) do
    for i in T.Parallel(32) do
      C[bx * 32 + i] = A[bx * 32 + i] * scale
    end
  end
  return C
end):compile()
print(s:bench({sizes = {N = 100}, scalars = {scale = 2}, rounds = 2}).bytes)
print(s:retarget("sim -arch=sm_80"):bench({sizes = {N = 100}, scalars = {scale = 2},
  rounds = 2}).runs)
print(select(2, pcall(s.bench, s, {sizes = {N = 100}})).code)
print(select(2, pcall(s.bench, s, {speed = 3})).code)
print(select(2, pcall(g.bench, g, {vs = 3})).code)
