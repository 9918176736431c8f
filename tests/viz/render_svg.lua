-- SVG: the same facts; escaped, self-contained.
local viz = require "moontile.viz"

local f = viz.figure('A & B <"quoted">', 'plot(k, "As")')
f:row():grid{rows = 2, cols = 4, labels = {"T0\nL0", "T0\nL1", "<&>", "1", "2", "3", "4", "中文"},
  hues = {0, 0, 1, viz.plain, viz.heat, viz.heat, viz.diverging, viz.bad}, tones = {0, 0, 160, 160, 0, 255, 128, 255},
  marks = {2}, holes = {7}, row_heads = {0, 1}, col_heads = {0, 1, 2, 3}, row_name = "m", col_name = "k",
  gap_cols = 2, caption = "a grid"}
f:table{head = {"a", "b"}, rows = {{"x", 1}}, tints = {viz.warn}}
f:row():legend{{hue = 0, sign = "a", label = "zero"}, {hue = viz.heat, tone = 0, sign = "b", label = "cold"}}
io.write(f:render{format = "svg"})

f = viz.figure("charts")
f:bars{{label = "a", value = 2, low = 1, high = 3}, {label = "b", value = -1, hue = 1}, unit = "ms"}
f:track{rows = {{label = "p", spans = {{0, 50, "load", 0}, {50, 50.4, "tiny", 1}, {60, 64, "some label", 2}},
  marks = {{50, "!"}}}}, unit = "us", to = 100}
f:curve{xlabel = "x", ylabel = "y", ylog = true, lines = {{points = {{0, 1}, {1, 10}, {2, 100}}, label = "l"}},
  points = {{1, 50, label = "p", hue = viz.good}}}
f:text("  two", "lines")
io.write(f:render{format = "svg"})
io.write(viz.figure(""):render{format = "svg"})
