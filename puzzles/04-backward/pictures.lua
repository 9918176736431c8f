-- 04-backward: where the error comes back, and where it does not.

local viz = require "moontile.viz"

-- The same three by four elements: the input, the result, its error, and what comes back.
local function back(zh)
  local a = {{2, 1, -3, 4}, {-1, 5, 2, -2}, {3, 0, 1, 1}}
  local b = {2, -1, 1, 3}
  local d = {{10, 20, 30, 40}, {50, 60, 70, 80}, {90, 10, 20, 30}}
  local f = viz.figure(zh and "列首是 B[j]；被截为 0 的位置没有误差传回" or
    "B[j] heads the columns; what was cut to 0 sends nothing back")
  f:row()
  local function grid(name, value)
    local labels, hues, heads = {}, {}, {}
    for i = 1, #a do
      for j = 1, #b do
        heads[j] = tostring(b[j])
        local open = a[i][j] * b[j] > 0
        labels[#labels + 1] = ("%d"):format(value(i, j, open))
        hues[#hues + 1] = open and viz.accent or viz.dim
      end
    end
    f:grid {rows = #a, cols = #b, labels = labels, hues = hues, col_heads = heads, caption = name}
  end
  grid("A", function(i, j) return a[i][j] end)
  grid("C = max(0, A B)", function(i, j) return math.max(0, a[i][j] * b[j]) end)
  grid("dC", function(i, j) return d[i][j] end)
  grid("dA", function(i, j, open) return open and d[i][j] * b[j] or 0 end)
  return f
end

return {back = back}
