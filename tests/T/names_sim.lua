-- Every name of T that needs threads: its example runs in the simulator.
local registry = require "moontile.T.registry"
local sample = require "moontile.T.sample"

tl.set_target "sim -arch=sm_90a"
local names = {}
for _, n in ipairs(registry.order) do
  local row = registry.names[n]
  if not row.later and not row.alias_of and row.threads then
    names[#names + 1] = n
  end
end
table.sort(names)

local a, b = tl.zeros{64, 64}, tl.zeros{64, 64}
for _, n in ipairs(names) do
  local f = assert(load(sample.program(registry.names[n]) .. "\nreturn f", "=T." .. n))
  local ok, err = pcall(function() f()(a, b) end)
  if not ok then
    print("T." .. n, err)
  end
end
print(#names > 50 and "all have run")
