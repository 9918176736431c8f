-- Mutants of kernels that are written for single threads: shared memory, atomics,
-- shuffles, mbarriers, named barriers, TMA.
local mutate = dofile "lib/mutate.lua"

local same = "all lanes hold the sum, and store the same value"
local inside = "the index is always inside"
local harmless = {
  shuffles = {["lanes reversed 1"] = same, ["drop a guard 1"] = same, ["drop a guard 2"] = same},
  mbarriers = {["drop a guard 2"] = inside},
  ["elected release"] = {["lanes reversed 1"] = "another lane of the warp releases",
    ["drop a guard 2"] = inside},
  ["named barriers"] = {["drop a guard 1"] = inside},
}

for _, c in ipairs(dofile "lib/threads.lua") do
  local target = "sim -arch=" .. c.machines:match "%S+"
  tl.set_target(target)
  local k = c.f:compile(table.unpack(c.args))
  local text = k:ir "thread"
  if c.name == "named barriers" then -- the block's barrier that low_sync adds hides theirs
    text = text:gsub("\n%s*bar_sync @[^\n]*", "")
  end
  mutate.run{name = c.name, text = text, target = target, args = c.args, most = 4,
    skip = harmless[c.name]}
end
