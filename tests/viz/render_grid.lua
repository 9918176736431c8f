-- The ladder of forms of a grid, without colour: whole labels, stacked, first
-- lines, blocks with signs, signs alone, sampled; in Unicode and in ASCII.
local viz = require "moontile.viz"

local function fragment(rows, cols)
  local t, l, h, rh, ch = {}, {}, {}, {}, {}
  for i = 0, rows - 1 do
    rh[i + 1] = i
    for j = 0, cols - 1 do
      local n = #t + 1
      t[n] = i % 8 * 4 + j % 8 // 2
      l[n] = j % 2 + i // 8 * 2 + j // 8 * 4
      h[n] = t[n] // 4
    end
  end
  for j = 0, cols - 1 do
    ch[j + 1] = j
  end
  return viz.figure("a fragment"):grid{rows = rows, cols = cols, format = "T%d\nL%d", values = {t, l},
    hues = h, row_heads = rh, col_heads = ch, row_name = "m", col_name = "n"}
end

local function show(what, f, o)
  o.colour = 0
  io.write("-- ", what, "\n", f:render(o))
end

local c = fragment(8, 8)
show("labels, 80", c, {width = 80, unicode = true})
show("labels, ASCII", c, {width = 80, unicode = false})
show("stacked, 40", c, {width = 40, unicode = true})
show("first lines, as asked", c, {width = 40, unicode = true, cells = "first"})
show("blocks, as asked", c, {width = 40, unicode = true, cells = "block"})
show("one column, as asked", c, {width = 40, unicode = true, cells = "half"})
show("labels where they do not fit: sampled", c, {width = 20, unicode = true, cells = "label"})
local wide = fragment(16, 32)
show("32 columns at 160: stacked", wide, {width = 160, unicode = true})
show("32 columns at 80: blocks, heads thinned", wide, {width = 80, unicode = true})
show("32 columns at 40: signs", wide, {width = 40, unicode = true})
local large = fragment(128, 128)
show("128 columns at 80: sampled", large, {width = 80, unicode = true, height = 12})
show("128 columns at 40: sampled", large, {width = 40, unicode = false})
local low = fragment(3, 100)
show("3 x 100 at 40: columns sampled", low, {width = 40, unicode = true})
show("the same, stacked", low, {width = 40, unicode = true, cells = "label"})
show("20 x 300 at 40: rows less than columns", fragment(40, 300), {width = 40, unicode = false})

-- one label that is too wide: blocks, or cut where the form is asked for
local odd = viz.figure("a long label"):grid{rows = 2, cols = 3, marks = {1},
  labels = {("长标签 "):rep(20), "a", "b", "c", "d", "e"}}
show("blocks", odd, {width = 30, unicode = true})
show("cut", odd, {width = 30, unicode = true, cells = "label"})
show("cut, ASCII", odd, {width = 30, unicode = false, cells = "first"})

require "moontile.diag".setlang "zh"
show("in Chinese", large, {width = 20, unicode = true, height = 5})
show("in Chinese, columns", fragment(3, 40), {width = 20, unicode = true})
show("in Chinese, rows", fragment(40, 300), {width = 60, unicode = true, cells = "first"})
