-- tl/stats.lua: medians and quantiles of lists of numbers.

local M = {}

function M.sorted(t)
  local s = table.move(t, 1, #t, 1, {})
  table.sort(s)
  return s
end

-- The value below which the part q of a sorted list lies, between its neighbours.
function M.at(s, q)
  local at = q * (#s - 1) + 1
  local lo = math.floor(at)
  local hi = math.min(lo + 1, #s)
  return s[lo] + (s[hi] - s[lo]) * (at - lo)
end

function M.quantile(t, q)
  return M.at(M.sorted(t), q)
end

function M.median(t)
  return M.quantile(t, 0.5)
end

return M
