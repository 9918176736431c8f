-- pictures.lua: 57 rows of four groups, and the tiles of 16 rows that they have.
local viz = require "moontile.viz"

local First, Height = {0, 5, 5, 40, 57}, 16

local function tiles(zh)
  local rows, by = {}, 0
  for g = 0, #First - 2 do
    local lo, hi = First[g + 1], First[g + 2]
    local spans = {}
    for row = lo, hi - 1, Height do
      spans[#spans + 1] = {row, math.min(row + Height, hi), tostring(by), by}
      by = by + 1
    end
    rows[#rows + 1] = {label = (zh and "组 %d" or "group %d"):format(g), spans = spans}
  end
  local f = viz.figure("first = {0, 5, 5, 40, 57}, BLOCK_M = 16: by")
  return f:track{rows = rows, unit = zh and "行" or "rows", caption = zh and
    ("第 %d .. %d 号线程块无事可做"):format(by, -(-57 // Height) + #First - 2) or
    ("blocks %d .. %d have nothing to do"):format(by, -(-57 // Height) + #First - 2)}
end

return {tiles = tiles}
