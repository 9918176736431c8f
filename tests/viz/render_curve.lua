-- Curves: axes, ticks, points and their labels, several curves without colour.
local viz = require "moontile.viz"

local roof = viz.figure("roofline", 'plot(k, "roofline")')
roof:curve{xlabel = "FLOP/byte", ylabel = "TFLOP/s", xlog = true, ylog = true,
  lines = {{points = {{0.25, 0.8}, {300, 989}, {4000, 989}}, label = "tensor cores"},
    {points = {{0.25, 0.8}, {20, 67}, {4000, 67}}, label = "float32"}},
  points = {{120, 300, label = "gemm", hue = 2}, {0.5, 1, label = "copy", hue = 3},
    {3900, 980, label = "at the right edge", hue = 4}}}
for _, o in ipairs {{40, true}, {80, true}, {80, false}, {160, true}} do
  io.write(("-- %d\n"):format(o[1]), roof:render{width = o[1], unicode = o[2], colour = 0})
end
io.write("-- colour\n", (roof:render{width = 60, unicode = true, colour = 24, height = 12}:gsub("\27", "^")))

local wave = {}
for i = 0, 100 do
  wave[i + 1] = {i / 10, math.sin(i / 10)}
end
local f = viz.figure("one curve"):curve{lines = {{points = wave, label = "sin"}}, xlabel = "x"}
io.write(f:render{width = 60, unicode = true, colour = 0})
io.write(f:render{width = 60, unicode = false, colour = 0})
io.write(viz.figure("one point"):curve{points = {{3, 5, label = "here"}}}:render{width = 40, unicode = true, colour = 0})
io.write(viz.figure("nothing"):curve{}:render{width = 40, unicode = true, colour = 0})
io.write(viz.figure("flat"):curve{xlog = true, lines = {{points = {{1, 2}, {1, 2}}}}}
  :render{width = 40, unicode = false, colour = 0})
