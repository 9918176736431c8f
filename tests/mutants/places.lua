-- Barriers whose need is hard to see: each is taken out, one by one; what the simulator
-- finds the checker of barriers finds, too, and nothing in the kernels as they are.
local audit = dofile "lib/audit.lua"
for _, machine in ipairs {"sm_80", "sm_90a", "c500", "simt"} do
  audit.all(machine, "lib/places.lua")
end
