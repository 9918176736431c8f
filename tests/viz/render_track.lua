-- Time lines: labels, letters and their legend, marks, the scale.
local viz = require "moontile.viz"

local f = viz.figure("pipeline", 'plot(k, "stages")')
local load, mma = {}, {}
for i = 0, 5 do
  load[#load + 1] = {i * 10, i * 10 + 8, "load " .. i, i % 3}
  mma[#mma + 1] = {i * 10 + 8, i * 10 + 18, "乘 " .. i, i % 3}
end
f:track{rows = {
  {label = "producer", spans = load, marks = {{0, "w"}, {8, "a"}, {58, "a"}}},
  {label = "consumer", spans = mma},
  {label = "barriers", marks = {{8, "a"}, {18, "r"}, {28}}},
  {label = "nothing"},
}, unit = "us", caption = "three stages"}
for _, o in ipairs {{40, true}, {80, true}, {80, false}, {160, true}} do
  io.write(("-- %d\n"):format(o[1]), f:render{width = o[1], unicode = o[2], colour = 0})
end
io.write((f:render{width = 60, unicode = true, colour = 8}:gsub("\27", "^")))

-- what is drawn is what from and to say; spans shorter than a column stand all the same
f = viz.figure("part"):track{rows = {{label = "a", spans = {{0, 100, "outside on both sides", 0}}},
  {label = "b", spans = {{20, 20, "now", 1}, {20.5, 20.6, "next", 2}, {31, 99, "beyond", 3}}},
  {label = "c", spans = {{0, 1, "before", 1}}}}, from = 20, to = 30}
io.write(f:render{width = 60, unicode = true, colour = 0})

-- more labels than letters
local many = {}
for i = 1, 80 do
  many[i] = {i, i + 1, "span number " .. i, i}
end
f = viz.figure("many"):track{rows = {{spans = many}}}
io.write(f:render{width = 80, unicode = false, colour = 0})
io.write(viz.figure("empty"):track{rows = {}}:render{width = 40, unicode = false, colour = 0})
