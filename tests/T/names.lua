-- Every name of T: its example is read, traced, checked and lowered for the
-- cpu target.  Names that need threads are refused there, by their name.
local registry = require "moontile.T.registry"
local sample = require "moontile.T.sample"
local device = require "moontile.tl.device"

local names = {}
for _, n in ipairs(registry.order) do
  local row = registry.names[n]
  if not row.later and not row.alias_of then
    names[#names + 1] = n
  end
end
table.sort(names)

device.emit = function() end
local a, b = tl.zeros{64, 64}, tl.zeros{64, 64}
local count, refused = 0, {}
for _, n in ipairs(names) do
  local text, is_kernel = sample.program(registry.names[n])
  local f = assert(load(text .. (is_kernel and "\nreturn f" or ""), "=T." .. n))
  local ok, err = pcall(function()
    local k = f()
    if is_kernel then
      k(a, b)
    end
  end)
  if ok then
    count = count + 1
  elseif err.id == "cpu_threads" and registry.names[n].threads then
    refused[#refused + 1] = n
  else
    print("T." .. n, err)
  end
end
print(#names - count == #refused and "all names answer" or "some names fail")
print("need threads:", table.concat(refused, " "))

local later = 0
for _, n in ipairs(registry.order) do
  local row = registry.names[n]
  if row.later and rawget(T, n) == nil then
    local ok, err = pcall(function() return T[n] end)
    assert(not ok and (err.id == "t_later" or err.id == "t_later_use" or err.id == "t_blackwell" or err.id == "t_near"), n)
    later = later + 1
  end
end
print(later > 200 and "the others say that they come later")
