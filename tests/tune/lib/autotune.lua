-- tl.autotune: TileLang's form.
local K = dofile "lib/kernels.lua"
local x = tl.randn({1000}, "float32")

local f = tl.autotune(K.scale, {configs = {{BN = 32}, {BN = 64}, {BN = 0}}, rep = 3})
tl.testing.assert_close(f(x, {factor = 2}), x * 2)
print(f.best.tuning.counts.tried, f.best.tuning.counts.failed, f.best.latency > 0)
local first = f.best
f(x, {factor = 2})
print("kept in memory", f.best == first)
print("the caller's own", f(x, {BN = 16, factor = 2}).shape[1], f.best == first)

-- configs as a function; the result is in the store for another autotuner
local configs = function() return {{BN = 32}, {BN = 64}, {BN = 0}} end
local g = tl.autotune {configs = configs} (K.scale)
g(x, {factor = 2})
print("from the store", g.best.tuning.stored ~= nil)

-- ref_prog; with it nothing is kept between runs
local h = tl.autotune(K.scale, {configs = {{BN = 32}, {BN = 64}},
  ref_prog = function(a) return a * 2 end, skip_check = false, budget = "1m"})
h(x, {factor = 2})
print("ref_prog", h.best.tuning.counts.tried, h.best.tuning.stored)
local ok, e = pcall(tl.autotune(K.scale, {configs = {{BN = 32}},
  ref_prog = function(a) return a * 7 end}), x, {factor = 2})
print(ok, e.code)
print("unchecked", tl.autotune(K.scale, {configs = {{BN = 32}}, skip_check = true,
  ref_prog = function(a) return a * 7 end})(x, {factor = 2}).shape[1])

-- supply_prog, supply_type and pass_configs
local fast = {["tl.enable_fast_math"] = true}
local s = tl.autotune(K.scale, {configs = {{BN = 32, pass_configs = fast}, {BN = 32}},
  supply_prog = function() return {tl.ones({1000}, "float32")} end})
print("compile", s:compile {N = 1000, factor = 2}.name, #s.best.tuning.trials)
for _, t in ipairs(s.best.tuning.trials) do
  print(t.text, t.failed)
end
