-- Marks, holes, gaps, names, captions; signs that are given and that are made.
local viz = require "moontile.viz"

local function write(what, s)
  io.write("-- ", what, "\n", (s:gsub("\27", "^")))
end

local function grid(o)
  local t = {rows = 4, cols = 8, labels = {}, hues = {}, marks = {1, 2, 16, 32}, holes = {5, 20},
    gap_rows = 2, gap_cols = 4, row_name = "row", col_name = "bank", caption = "four rows"}
  for i = 1, 32 do
    t.labels[i] = ("a%d\nb"):format(i - 1)
    t.hues[i] = i % 8
  end
  for k, v in pairs(o) do
    t[k] = v
  end
  if not t.labels then
    t.labels = nil
  end
  return viz.figure(""):grid(t)
end

local f = grid{}
for _, cells in ipairs {"label", "first", "block", "half"} do
  write(cells, f:render{width = 60, colour = 0, unicode = true, cells = cells})
end
write("24 bits", f:render{width = 60, colour = 24, unicode = true, cells = "first"})
write("half blocks", f:render{width = 60, colour = 24, unicode = true, cells = "half"})
write("no half blocks in ASCII", f:render{width = 60, colour = 8, unicode = false, cells = "half"})
write("16 colours", f:render{width = 60, colour = 4, unicode = true, cells = "block"})

local big = {}
for i = 1, 40 * 160 do
  big[i] = (i - 1) // 160 // 10
end
f = viz.figure("sampled"):grid{rows = 40, cols = 160, hues = big, marks = {160 * 3 + 90}}
write("sampled half blocks", f:render{width = 44, colour = 8, unicode = true})

local signs = ("abcdefgh"):rep(4)
f = grid{labels = false, signs = signs}
write("signs", f:render{width = 60, colour = 0, unicode = true})
write("signs on colour", f:render{width = 60, colour = 8, unicode = true})

local heat = {}
for i = 1, 32 do
  heat[i] = (i - 1) * 8
end
f = grid{labels = false, hues = viz.heat, tones = heat, marks = {}, holes = {}}
write("heat", f:render{width = 60, colour = 0, unicode = true})
f = grid{labels = false, hues = viz.diverging, tones = heat, marks = {}, holes = {}}
write("diverging", f:render{width = 60, colour = 0, unicode = true, cells = "half"})

f = viz.figure("numbers stand to the right"):grid{rows = 2, cols = 3, col_heads = {"x", "y", "z"},
  labels = {"1", "-2.5", "300", false, "0.25", "1e+06"}, marks = {2, 3}, holes = {6}}
write("numbers", f:render{width = 40, colour = 0, unicode = true})

f = viz.figure("special hues"):grid{rows = 1, cols = 6, hues = {viz.plain, viz.good, viz.bad, viz.warn,
  viz.dim, viz.accent}}
write("special hues", f:render{width = 40, colour = 0, unicode = true})
write("special hues", f:render{width = 40, colour = 24, unicode = true})
