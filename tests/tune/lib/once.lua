-- Tunes a kernel; whether its result is kept is said.
local K = dofile "lib/kernels.lua"
local best = K.scale:compile {N = 100, BN = 64, factor = 3}:tune {budget = "60s", space = {BN = {32, 64}}, rep = 2}
print(best.tuning.counts.tried, best.tuning.stored ~= nil)
