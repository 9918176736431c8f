local v = -1
local r = v > 0 ? v : 0
