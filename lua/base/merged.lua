-- base/merged.lua: merged(a, b): a new table with the fields of both; where both have one, b's.

return function(a, b)
  local t = {}
  for k, v in pairs(a) do
    t[k] = v
  end
  for k, v in pairs(b) do
    t[k] = v
  end
  return t
end
