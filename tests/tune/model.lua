-- What the cost model chooses on machines' data alone: no GPU, no timing.
local K = dofile "lib/kernels.lua"
local cost = require "moontile.tl.tune.cost"

local space = {BM = {64, 128, 256}, BN = {64, 128, 256}, stages = {2, 4}, threads = {128, 256}}

local function tune(arch, m, n, k)
  tl.set_target("sim -arch=" .. arch)
  local best = K.gemm:tune {M = m, N = n, K = k, BM = 128, BN = 128, BK = 64, stages = 2,
    threads = 128, space = space, cache = false, budget = 1000}
  local by, worst = {}, 0
  for _, t in ipairs(best.tuning.trials) do
    by[t.text] = t.predicted
    worst = math.max(worst, t.predicted and t.predicted.ms < math.huge and t.predicted.ms or 0)
  end
  local c, p = best.tuned, best.tuning.best.predicted
  print(("%-7s %4dx%4dx%4d  %3dx%3d, %d threads, bound by %s"):format(arch, m, n, k, c.BM, c.BN,
    c.threads, p.bound))
  print("", "worst is slower by more than twice", worst > 2 * p.ms)
  return by, p
end

for _, arch in ipairs {"sm_80", "sm_89", "sm_90a"} do
  tune(arch, 4096, 4096, 4096)
  tune(arch, 256, 512, 1024)
end

-- Bounds of kernels that are not products
local function bound(arch, k)
  local a = k:analyze {target = "sim -arch=" .. arch}
  local p = cost.predict(a, cost.stages(k, a))
  print(k.name, arch, p.bound, p.resident, ("%.1f"):format(p.waves))
end
tl.set_target "cpu"
bound("sm_90a", K.scale:compile {N = 1 << 26, BN = 1024, factor = 2})
bound("sm_90a", K.scale:compile {N = 1 << 26, BN = 64, factor = 2})
bound("sm_80", K.scale:compile {N = 1 << 12, BN = 1024, factor = 2})

-- Where there is no data there is no prediction
local k = K.scale:compile {N = 1 << 26, BN = 1024, factor = 2}
print(cost.predict(k:analyze {target = "sim -arch=simt"}, 1))
print(cost.predict(k:analyze {target = "sim -arch=c500"}, 1))
