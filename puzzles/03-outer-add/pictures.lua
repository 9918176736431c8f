-- 03-outer-add: the table, and the blocks that cover it.

local viz = require "moontile.viz"

-- A small table with the tiles set apart.
local function sums(zh)
  local f = viz.figure(zh and "C = A[i] + B[j]，分块为 2 x 3" or "C = A[i] + B[j], tiles of 2 x 3")
  local a, b = {10, 20, 30, 40, 50}, {1, 2, 3, 4, 5, 6, 7}
  local labels, hues, rows, cols = {}, {}, {}, {}
  for i, u in ipairs(a) do
    rows[i] = tostring(u)
    for j, v in ipairs(b) do
      cols[j] = tostring(v)
      labels[#labels + 1] = tostring(u + v)
      hues[#hues + 1] = ((i - 1) // 2 * 3 + (j - 1) // 3) % 8
    end
  end
  f:grid {rows = #a, cols = #b, labels = labels, hues = hues, row_heads = rows, col_heads = cols,
    row_name = "A[i]", col_name = "B[j]", gap_rows = 2, gap_cols = 3}
  return f
end

-- Which block writes which tile: bx along the columns, by along the rows.
local function blocks(zh)
  local f = viz.figure(zh and "M = 40、N = 160 时的线程块 (bx, by)，分块为 32 x 64" or
    "blocks (bx, by) for M = 40, N = 160, tiles of 32 x 64")
  local function part(word, cn, from, to)
    return zh and ("第 %d..%d %s"):format(from, to, cn) or ("%s %d..%d"):format(word, from, to)
  end
  local function row(by, from, to)
    return {part("rows", "行", from, to), ("(0, %d)"):format(by), ("(1, %d)"):format(by),
      ("(2, %d)"):format(by)}
  end
  f:table {
    head = {"", part("columns", "列", 0, 63), part("columns", "列", 64, 127),
      part("columns", "列", 128, 159)},
    rows = {row(0, 0, 31), row(1, 32, 39)}, align = "lccc",
  }
  return f
end

return {sums = sums, blocks = blocks}
