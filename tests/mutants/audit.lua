-- The checker of barriers against the simulator: each barrier, fence and wait of these
-- kernels is taken out, one by one.  Where the simulator finds a race the checker must
-- find one, too, without any inputs; and it finds nothing in the kernels as they are.
local audit = dofile "lib/audit.lua"
for _, machine in ipairs {"sm_80", "sm_90a", "c500", "simt"} do
  audit.all(machine, "lib/tiles.lua")
end
for _, machine in ipairs {"sm_80", "sm_90a", "c500"} do
  audit.all(machine, "lib/threads.lua")
end
