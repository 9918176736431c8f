-- Tables, text and legends: alignment, Chinese, what is wider than the page.
local viz = require "moontile.viz"

local function show(f, o)
  for _, width in ipairs {40, 80} do
    for _, unicode in ipairs {true, false} do
      io.write(("-- %d columns, %s\n"):format(width, unicode and "Unicode" or "ASCII"))
      o.width, o.unicode = width, unicode
      io.write((f:render(o):gsub("\27", "^")))
    end
  end
end

local f = viz.figure("buffers", 'plot(k, "memory")')
f:table{head = {"name", "bytes", "where it is"}, rows = {
  {"As", 8192, "shared memory, swizzled in chunks of 16 bytes by 128 byte rows"},
  {"累加器", 16384, "寄存器片段，每个线程 64 个 float32"},
  {"", false, "-"},
}, align = "lrl", caption = "bytes of one block"}
show(f, {colour = 0})

f = viz.figure("tints")
f:table{rows = {{"a", 1}, {"b", 2}}, tints = {[2] = viz.bad}}
io.write((f:render{width = 40, colour = 24, unicode = true}:gsub("\27", "^")))

f = viz.figure("many columns")
local head, row = {}, {}
for i = 1, 14 do
  head[i], row[i] = "column " .. i, 10 ^ (i % 5) // 1
end
f:table{head = head, rows = {row, row}}
show(f, {colour = 0})

f = viz.figure("")
f:text("a line", "  an indented line that is much too long for a page of forty columns, so it goes on",
  "", "no-blank-to-break-at-no-blank-to-break-at-no-blank-to-break-at",
  "中文没有空格，所以在任意两个字之间都可以断行，但标点符号不能放在行首。中文没有空格，所以在任意两个字之间都可以断行。")
f:legend{{hue = 0, label = "warp 0"}, {hue = 1, sign = "b", label = "线程束 1"}, {hue = viz.heat, tone = 255,
  label = "hot"}, {hue = 70, label = "class 70"}, {label = "plain"}, {hue = viz.bad, label = "differs"}}
show(f, {colour = 0})
io.write((f:render{width = 80, colour = 24, unicode = true}:gsub("\27", "^")))
