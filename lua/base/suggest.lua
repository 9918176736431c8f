-- base/suggest.lua: the name that someone most likely meant.

local M = {}

-- Edit distance of a and b with exchanges of neighbours (optimal string
-- alignment); gives up with `limit` when it is reached.
local function distance(a, b, limit)
  local n, m = #a, #b
  if math.abs(n - m) >= limit then
    return limit
  end
  local prev, cur, older = {}, {}, {}
  for j = 0, m do
    prev[j] = j
  end
  for i = 1, n do
    cur[0] = i
    local best = i
    for j = 1, m do
      local same = a:byte(i) == b:byte(j)
      local d = math.min(prev[j] + 1, cur[j - 1] + 1, prev[j - 1] + (same and 0 or 1))
      if i > 1 and j > 1 and a:byte(i) == b:byte(j - 1) and a:byte(i - 1) == b:byte(j) then
        d = math.min(d, older[j - 2] + 1)
      end
      cur[j] = d
      best = d < best and d or best
    end
    if best >= limit then
      return limit
    end
    older, prev, cur = prev, cur, older
  end
  return prev[m]
end

-- The nearest of a list of names, or nil when none is near.  Case and
-- underscores count little: `alloc_Shared`, `allocshared`.
function M.find(name, list)
  local want = tostring(name):lower()
  local flat = want:gsub("_", "")
  local best, found = #want < 2 and 1 or math.max(2, #want // 3 + 1)
  for _, s in ipairs(list) do
    local low = s:lower()
    local d = low:gsub("_", "") == flat and 0 or distance(want, low, best)
    if d < best then
      best, found = d, s
    end
  end
  return found
end

return M
