-- pictures.lua: the numbers of 5 x 7 tiles in panels of two rows, and who takes them.
local viz = require "moontile.viz"

local R, C, Panel, Blocks = 5, 7, 2, 6

local function heads(n)
  local t = {}
  for i = 1, n do
    t[i] = i - 1
  end
  return t
end

local function order(zh)
  local number, block = {}, {}
  local t = 0
  for top = 0, R - 1, Panel do
    for col = 0, C - 1 do
      for row = top, math.min(top + Panel, R) - 1 do
        number[row * C + col + 1], block[row * C + col + 1] = t, t % Blocks
        t = t + 1
      end
    end
  end
  local f = viz.figure(zh and "5 x 7 个分块，6 个线程块，条带高 2 行" or
    "5 x 7 tiles, 6 blocks, panels of 2 rows")
  return f:grid{rows = R, cols = C, format = "%d\np%d", values = {number, block}, hues = block,
    row_heads = heads(R), col_heads = heads(C), row_name = "row", col_name = "col",
    gap_rows = Panel, caption = zh and "编号:线程块；编号按条带自上而下，条带内逐列" or
      "number:block; panels from the top down, a panel column by column"}
end

return {order = order}
