-- tests/bench/lib/sim.lua: figures of the simulator, all checks on, and of the
-- lowering.  bench.lua loads it with its helpers in `b`.
local b = ...
local device = require "moontile.tl.device"

local add = tl.jit(function(A, B, BN)
  local N = T.const "N"
  A: T.Tensor({N}, T.float32)
  B: T.Tensor({N}, T.float32)
  local C = T.empty({N}, T.float32)
  for bx in T.Kernel(T.ceildiv(N, BN), {threads = 256}) do
    for i in T.Parallel(BN) do
      C[bx * BN + i] = A[bx * BN + i] + B[bx * BN + i]
    end
  end
  return C
end)

local softmax = tl.jit(function(X)
  local M, N = T.const "M, N"
  X: T.Tensor({M, N}, T.float32)
  local Y = T.empty({M, N}, T.float32)
  for bx in T.Kernel(M, {threads = 256}) do
    local x = T.alloc_fragment({N}, T.float32)
    local m = T.alloc_fragment({1}, T.float32)
    local s = T.alloc_fragment({1}, T.float32)
    T.copy(X[bx, 0], x)
    T.reduce_max(x, m, 0)
    for j in T.Parallel(N) do
      x[j] = T.exp(x[j] - m[0])
    end
    T.reduce_sum(x, s, 0)
    for j in T.Parallel(N) do
      x[j] = x[j] / s[0]
    end
    T.copy(x, Y[bx, 0])
  end
  return Y
end)

local gemm = tl.jit(function(A, B, BM, BN, BK)
  local M, N, K = T.const "M, N, K"
  A: T.Tensor({M, K}, T.float16)
  B: T.Tensor({K, N}, T.float16)
  local C = T.empty({M, N}, T.float16)
  for bx, by in T.Kernel(T.ceildiv(N, BN), T.ceildiv(M, BM), {threads = 128}) do
    local As = T.alloc_shared({BM, BK}, T.float16)
    local Bs = T.alloc_shared({BK, BN}, T.float16)
    local Cl = T.alloc_fragment({BM, BN}, T.float32)
    T.clear(Cl)
    for ko in T.Pipelined(T.ceildiv(K, BK), {num_stages = 3}) do
      T.copy(A[by * BM, ko * BK], As)
      T.copy(B[ko * BK, bx * BN], Bs)
      T.gemm(As, Bs, Cl)
    end
    T.copy(Cl, C[by * BM, bx * BN])
  end
  return C
end)

-- The kernel of f for a target; f itself keeps its own.
local function compile(f, target, config)
  local saved = device.default
  device.set_target(target)
  local k = f:compile(config)
  device.default = saved
  return k
end

local function ms_of(k, values)
  return b.median(k:time(values, {warmup = 1, times = 5}))
end

local function elementwise()
  local n = 16 << 20
  local x, y = tl.rand({n}, "float32"), tl.rand({n}, "float32")
  local ms = ms_of(compile(add, "sim", {N = n, BN = 4096}), {x, y})
  b.row("simulator: vector add, all checks", n / ms / 1e3, "M/s", ">", 150, "elements, one core")
  local rows, cols = 1024, 8192
  local z = tl.randn({rows, cols}, "float32")
  ms = ms_of(compile(softmax, "sim", {M = rows, N = cols}), {z})
  b.row("simulator: row softmax, all checks", rows * cols / ms / 1e3, "M/s", ">", 150,
    "elements, one core")
end

local function products()
  local n = 512
  local x, y = tl.randn({n, n}, "float16"), tl.randn({n, n}, "float16")
  for _, t in ipairs {{"sim -arch=sm_80", "mma.sync", 32}, {"sim -arch=sm_90a", "wgmma and TMA", 64}} do
    local k = compile(gemm, t[1], {M = n, N = n, K = n, BM = 128, BN = 128, BK = t[3]})
    local ms = ms_of(k, {x, y})
    b.row(("simulator: 512^3 f16 GEMM, %s"):format(t[2]), ms / 1e3, "s", "<", 2)
  end
end

local function lowering()
  local attention = assert(load(b.attention_source(), "=attention"))()
  local saved = device.default
  device.set_target "sim -arch=sm_90a"
  device.emit = function() end
  local ms = b.clock(function(i)
    attention:compile{B = 1, H = 8, HKV = 8, S = 1024 + i, D = 64, causal = true, BM = 64, BN = 64}
  end, 21)
  device.emit = nil
  device.default = saved
  b.row("lower the attention example to sm_90a, with its text", ms, "ms", "<", 20)
end

-- Slowdown against the cpu target on one core, the worst of these.
local function slowdown()
  local n, worst, which = 1 << 22, 0, ""
  local attention = assert(load(b.attention_source(), "=attention"))()
  local v = {tl.rand({n}, "float32"), tl.rand({n}, "float32")}
  local g = {tl.randn({512, 512}, "float16"), tl.randn({512, 512}, "float16")}
  local h = {}
  for i = 1, 3 do
    h[i] = tl.randn({1, 4, 512, 64}, "float16")
  end
  local cases = {
    {"vector add", add, {N = n, BN = 4096}, v},
    {"row softmax", softmax, {M = 512, N = 8192}, {tl.randn({512, 8192}, "float32")}},
    {"GEMM", gemm, {M = 512, N = 512, K = 512, BM = 128, BN = 128, BK = 32}, g},
    {"attention", attention, {B = 1, H = 4, HKV = 4, S = 512, D = 64, causal = false, BM = 64,
      BN = 64}, h},
  }
  for _, c in ipairs(cases) do
    local slow = ms_of(compile(c[2], "sim", c[3]), c[4])
    local fast = ms_of(compile(c[2], "cpu -threads=1", c[3]), c[4])
    if slow / fast > worst then
      worst, which = slow / fast, ("%s: %.1f ms, cpu %.2f ms"):format(c[1], slow, fast)
    end
  end
  b.row("simulator / cpu target, one core, worst of 4", worst, "x", "<", 30, which)
end

-- What the tests of seeded bugs and of silence say: run again, not read.
local function mutants()
  local found, missed, alarms, kernels = 0, 0, 0, 0
  local program = b.moontile:sub(1, 1) == "/" and b.moontile or "../../" .. b.moontile
  for _, name in ipairs {"gemm", "threads", "attention", "rows", "tile"} do
    local p <close> = io.popen(("cd tests/mutants && %s %s.lua 2>/dev/null"):format(program, name))
    for line in p:lines() do
      missed = missed + (line:find("MISSED", 1, true) and 1 or 0)
      found = found + (line:find " E%d%d%d$" and 1 or line:find " wrong$" and 1 or 0)
    end
  end
  for _, name in ipairs {"threads", "tiles", "pipelines"} do
    local p <close> = io.popen(("cd tests/silent && %s %s.lua 2>/dev/null"):format(program, name))
    for line in p:lines() do
      local k, n = line:match "^(%d+) kernels, %d+ runs, (%d+) false alarms"
      kernels, alarms = kernels + (tonumber(k) or 0), alarms + (tonumber(n) or 0)
    end
  end
  b.row(("seeded bugs found, of %d"):format(found + missed), 100 * found / (found + missed), "%", ">",
    100, "the others are still correct programs")
  b.row(("false alarms on %d correct kernels"):format(kernels), kernels >= 100 and alarms or math.huge,
    "", "<", 0, "three seeds each")
end

return {
  {"sim mutants", mutants}, {"sim elementwise", elementwise}, {"sim gemm", products}, {"sim lowering", lowering},
  {"sim slowdown", slowdown},
}
