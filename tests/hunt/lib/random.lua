-- random.lua: a stream of random choices from a seed, the same everywhere.  A stream begins at a hash of its seed: neighbours
-- would be one stream, a number later each, whose programs repeat.
local Random = {}
Random.__index = Random

function Random.new(seed)
  local r = setmetatable({state = seed * 0xD1342543DE82EF95 + 0x1234567}, Random)
  r.state = r:bits()
  return r
end

-- splitmix64
function Random:bits()
  self.state = self.state + 0x9E3779B97F4A7C15
  local z = self.state
  z = (z ~ (z >> 30)) * 0xBF58476D1CE4E5B9
  z = (z ~ (z >> 27)) * 0x94D049BB133111EB
  return z ~ (z >> 31)
end

-- An integer of lo .. hi.
function Random:int(lo, hi)
  return lo + (self:bits() >> 1) % (hi - lo + 1)
end

function Random:chance(p)
  return (self:bits() >> 11) * 2.0 ^ -53 < p
end

function Random:of(list)
  return list[self:int(1, #list)]
end

-- A key of `weights`, drawn by its weight.  `order` lists the keys.
function Random:weighted(order, weights)
  local sum = 0
  for _, k in ipairs(order) do sum = sum + (weights[k] or 0) end
  if sum == 0 then return nil end
  local at = (self:bits() >> 11) * 2.0 ^ -53 * sum
  for _, k in ipairs(order) do
    at = at - (weights[k] or 0)
    if at < 0 then return k end
  end
  return order[#order]
end

function Random:shuffle(list)
  for i = #list, 2, -1 do
    local j = self:int(1, i)
    list[i], list[j] = list[j], list[i]
  end
  return list
end

return Random
