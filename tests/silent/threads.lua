-- Kernels for single threads, and tiles that need an order, under three seeds.
local silent = dofile "lib/silent.lua"

for _, c in ipairs(dofile "../mutants/lib/threads.lua") do
  silent.case(c.name, c.machines, c.f, c.args)
end
for _, c in ipairs(dofile "../mutants/lib/tiles.lua") do
  -- atomics add in another order
  silent.case(c.name, nil, c.f, c.args, c.name == "split-k" and 1e-4 or nil)
end
silent.done()
