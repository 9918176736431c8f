-- JSON: one object on one line, keys in a fixed order, places counting from 0.
local viz = require "moontile.viz"

local f = viz.figure('a "title" \\ with\ttab and 中文', "src")
f:row():grid{rows = 2, cols = 2, labels = {"a\nb", "", false, '"'}, hues = {0, 17, viz.heat, viz.plain},
  tones = {1, 2, 3, 255}, signs = 'a"\\ ', marks = {4}, holes = {1, 2}, row_heads = {"r0", "r1"}, row_name = "r",
  caption = "c"}
f:blank()
f:row():table{head = {"h"}, rows = {{1}, {"x"}}}
f:row():bars{{label = "l", value = 0.1, hue = 3}, {value = 1e300, low = -1, high = 1e301, text = "t"}, unit = "u", max = 5}
f:row():track{rows = {{label = "r", spans = {{0, 1 / 3, "s", viz.accent}}, marks = {{0.5, "x"}}}, {}}, unit = "us"}
f:row():curve{xlog = true, lines = {{points = {{1, 2}, {3, 4}}, label = "l"}}, points = {{5, 6, label = "p", hue = 1}},
  xlabel = "x"}
f:row():text("one", "two"):row():legend{{hue = viz.good, tone = 7, sign = "g", label = "ok"}, {}}
io.write(f:render{format = "json"})
io.write(viz.figure(""):render{format = "json"})
