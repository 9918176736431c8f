-- Every name of T: its example runs in the simulator, with all its checks.
local registry = require "moontile.T.registry"
local sample = require "moontile.T.sample"

tl.set_target "sim -arch=sm_90a"
local names = {}
for _, n in ipairs(registry.order) do
  local row = registry.names[n]
  if not row.later and not row.alias_of then
    names[#names + 1] = n
  end
end
table.sort(names)

local a, b = tl.zeros{64, 64}, tl.zeros{64, 64}
for _, n in ipairs(names) do
  local text, is_kernel = sample.program(registry.names[n])
  local f = assert(load(text .. (is_kernel and "\nreturn f" or ""), "=T." .. n))
  local ok, err = pcall(function()
    local k = f()
    if is_kernel then
      k(a, b)
    end
  end)
  if not ok then
    print("T." .. n, err)
  end
end
print(#names > 200 and "all have run")
