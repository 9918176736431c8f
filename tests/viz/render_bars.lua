-- Bars: eighths of a column, ranges, negative values, an axis that is too short.
local viz = require "moontile.viz"

local function show(what, f)
  for _, o in ipairs {{40, true}, {80, true}, {80, false}, {160, true}} do
    io.write(("-- %s, %d\n"):format(what, o[1]))
    io.write(f:render{width = o[1], unicode = o[2], colour = 0})
  end
end

show("bench", viz.figure("gemm", "k:bench()"):bars{
  {label = "cublas", value = 612.31, hue = 1},
  {label = "moontile 我们的", value = 598.2, low = 540, high = 630, hue = 0},
  {label = "naive", value = 1.25},
  {label = "nothing", value = 0, text = "not run"},
  unit = "TFLOP/s", caption = "more is better"})
show("signs", viz.figure("differences"):bars{
  {label = "a", value = -3}, {label = "b", value = 5}, {label = "c", value = -0.01}, {label = "d", value = 0}})
show("max", viz.figure(""):bars{{label = "within", value = 5}, {label = "beyond", value = 25}, max = 10})
show("equal", viz.figure(""):bars{{value = 0}, {value = 0}})
show("none", viz.figure("none"):bars{})
show("a long label", viz.figure(""):bars{{label = ("long "):rep(20), value = 1, text = ("text "):rep(20)}})
io.write((viz.figure(""):bars{{label = "x", value = 1, hue = viz.good}}
  :render{width = 40, unicode = true, colour = 24}:gsub("\27", "^")))
