-- 02-vector-add: the way of a tile through the registers.

local viz = require "moontile.viz"

-- One tile on its way; eight elements stand for the 1024.
local function registers(zh)
  local function say(en, cn)
    return zh and cn or en
  end
  local f = viz.figure(say("one tile on its way (8 elements stand for BLOCK)",
    "一个分块的全程（用 8 个元素代表 BLOCK 个）"))
  local a = {3, -1, 0, 2, -2, 5, 1, -4}
  local b = {2, 2, 7, -3, -1, 1, 4, 1}
  local function row(head, values, hue)
    return {head = head, values = values, hue = hue}
  end
  local product, cut = {}, {}
  for i = 1, #a do
    product[i] = a[i] * b[i]
    cut[i] = math.max(product[i], 0)
  end
  local rows = {
    row(say("a, a tile of A", "a：A 的分块"), a, 0),
    row(say("b, a tile of B", "b：B 的分块"), b, 1),
    row("a * b", product, 2),
    row(say("to C: max(0, a * b)", "写入 C：max(0, a * b)"), cut, 3),
  }
  local labels, hues, heads = {}, {}, {}
  for r, line in ipairs(rows) do
    heads[r] = line.head
    for _, v in ipairs(line.values) do
      labels[#labels + 1], hues[#hues + 1] = ("%d"):format(v), line.hue
    end
  end
  f:grid {rows = #rows, cols = #a, labels = labels, hues = hues, row_heads = heads, gap_rows = 2}
  return f
end

return {registers = registers}
