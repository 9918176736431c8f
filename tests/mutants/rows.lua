-- Mutants of reductions, scans, transposes, conversions and atomics.
local mutate = dofile "lib/mutate.lua"

local same = "all lanes of the warp hold the result, and store the same value"
local reduced = {["lanes reversed 1"] = same, ["lanes reversed 2"] = same, ["drop a guard 1"] = same,
  ["drop a guard 2"] = same}
-- all threads subtract the number that lane 0 of each warp leaves behind, which cancels
local cancels = "softmax is the same whatever number all threads subtract"
local shifted = {["wrong lane in a shuffle 1"] = cancels,
  ["wrong lane in a shuffle 2"] = cancels}
for k, why in pairs(reduced) do
  shifted[k] = why
end
local harmless = {
  softmax = shifted, layernorm = reduced,
}

for _, machine in ipairs {"sm_80", "c500"} do
  local target = "sim -arch=" .. machine
  for _, c in ipairs(dofile "lib/tiles.lua") do
    tl.set_target(target)
    mutate.run{name = c.name .. " " .. machine, kernel = c.f:compile(table.unpack(c.args)),
      target = target, args = c.args, most = 3, skip = harmless[c.name]}
  end
end
