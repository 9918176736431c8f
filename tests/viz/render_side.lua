-- Panels side by side where the width allows, in columns; below each other where not.
local viz = require "moontile.viz"

local function grid(rows, cols, row, col, owner)
  local t, r, h, rh, ch = {}, {}, {}, {}, {}
  for i = 0, rows - 1 do
    rh[i + 1] = i
    for j = 0, cols - 1 do
      local n = #t + 1
      t[n], r[n] = owner(i, j)
      h[n] = t[n] // 4
    end
  end
  for j = 0, cols - 1 do
    ch[j + 1] = j
  end
  return {rows = rows, cols = cols, format = "T%d\nR%d", values = {t, r}, hues = h, row_heads = rh,
    col_heads = ch, row_name = row, col_name = col}
end

local f = viz.figure("mma m16n8k8")
f:row():blank():grid(grid(8, 8, "k", "n", function(k, n) return n * 4 + k // 2, k % 2 end))
f:row():grid(grid(16, 8, "m", "k", function(m, k) return m % 8 * 4 + k // 2, m // 8 * 2 + k % 2 end))
f:grid(grid(16, 8, "m", "n", function(m, n) return m % 8 * 4 + n // 2, m // 8 * 2 + n % 2 end))
f:row():legend{{hue = 0, label = "threads 0 to 3"}, {hue = 1, label = "threads 4 to 7"}}
for _, width in ipairs {160, 80, 60} do
  io.write(("-- %d\n"):format(width), f:render{width = width, unicode = true, colour = 0})
end

f = viz.figure("a single row takes as many as fit"):row()
for i = 0, 6 do
  f:grid{rows = 2, cols = 4, labels = {"a", "b", "c", "d", "e", "f", "g", "h"}, caption = "step " .. i}
end
io.write(f:render{width = 40, unicode = true, colour = 0})

f = viz.figure("charts and text"):row()
f:bars{{label = "a", value = 1}, {label = "b", value = 2}}
f:text("some text beside the bars, which is folded where the share of the panel ends")
for _, width in ipairs {80, 40} do
  io.write(("-- %d\n"):format(width), f:render{width = width, unicode = true, colour = 0})
end

f = viz.figure("colours end with each line"):row()
f:grid{rows = 2, cols = 2, hues = {0, 1, 2, 3}, labels = {"a", "b", "c", "d"}}
f:grid{rows = 1, cols = 2, hues = {0, 1}, labels = {"e", "f"}}
io.write((f:render{width = 40, unicode = true, colour = 8}:gsub("\27", "^")))

-- rows, one panel each, and a height
f = viz.figure("a title", "its source"):text("one"):text("two"):text("three", "four", "five")
io.write(f:render{width = 40, height = 6, unicode = true, colour = 0})
io.write(f:render{width = 40, height = 20, unicode = true, colour = 0})
io.write(f:render{width = 40, height = 1, unicode = true, colour = 0})
io.write(viz.figure(""):render{width = 40})
io.write(viz.figure("only a title"):render{width = 40, colour = 0})
print(viz.figure("t"):row():text("a"):row():row():blank())
