-- judge/numbers.lua: tables of numbers, texts and booleans on their way through JSON, which
-- has no floats that are exact.
--
--   numbers.pack(v)     v, in which each float is a table that holds its digits
--   numbers.unpack(v)   v again

local M = {}

function M.pack(v)
  if math.type(v) == "float" then
    return {["%a"] = ("%a"):format(v)}
  elseif type(v) ~= "table" then
    return v
  end
  local r = {}
  for k, x in pairs(v) do
    r[k] = M.pack(x)
  end
  return r
end

local special = {inf = 1 / 0, ["-inf"] = -1 / 0}

function M.unpack(v)
  if type(v) ~= "table" then
    return v
  elseif v["%a"] then
    return special[v["%a"]] or tonumber(v["%a"]) or 0 / 0
  end
  for k, x in pairs(v) do
    v[k] = M.unpack(x)
  end
  return v
end

return M
