-- tl.autotune: early_stop, do_not_specialize, cache_input_tensors.
local K = dofile "lib/kernels.lua"
local x = tl.randn({1000}, "float32")
local configs = {{BN = 32}, {BN = 64}}

-- one search for all values of a parameter; the kernels differ
local f = tl.autotune(K.scale, {configs = configs, rep = 2, do_not_specialize = {"factor"},
  cache = false})
tl.testing.assert_close(f(x, {factor = 2}), x * 2)
local two = f.best
tl.testing.assert_close(f(x, {factor = 3}), x * 3)
print("searched", two.tuning ~= nil, "not again", f.best ~= two and f.best.tuning == nil,
  "the same choice", f.best.config.BN == two.config.BN)
f(x, {factor = 3})
tl.testing.assert_close(f(x, {factor = 2}), x * 2)
print("kept", f.best == two)

-- without it, each value is a problem of its own
local g = tl.autotune(K.scale, {configs = configs, rep = 2, cache = false})
g(x, {factor = 2})
g(x, {factor = 3})
print("searched again", g.best.tuning ~= nil)

local h = tl.autotune(K.scale, {configs = configs, rep = 2, early_stop = true,
  early_stop_factor = 1, cache_input_tensors = true, cache = false})
tl.testing.assert_close(h(x, {factor = 2}), x * 2)
print("early_stop", h.best.tuning.counts.tried)
local ok, e = pcall(tl.autotune(K.scale, {configs = configs, early_stop_factor = 0.5}), x,
  {factor = 2})
print(ok, e.code)
