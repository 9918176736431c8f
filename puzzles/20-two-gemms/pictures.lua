-- 20-two-gemms: who holds what of the hidden tile, before and after.

local tl = require "moontile.tl"
local viz = require "moontile.viz"

-- The threads of one operand of the matrix instruction, for its first rows and columns.
local function owners(operand, cols, col)
  local layout = tl.layout.mma("m16n8k16", operand)
  local labels, hues = {}, {}
  for i = 0, 3 do
    for j = 0, cols - 1 do
      local thread = layout:owner(i, j % col)[1]
      labels[#labels + 1] = ("T%d"):format(thread)
      hues[#hues + 1] = thread // 4
    end
  end
  return {rows = 4, cols = cols, labels = labels, hues = hues, row_name = "i", col_name = "j",
    row_heads = {"0", "1", "2", "3"}, gap_cols = 8}
end

-- Two tiles of sums, 8 columns each, beside one left operand of 16 columns.
local function registers(zh)
  local f = viz.figure(zh and "前 4 行、16 列由哪个线程持有" or
    "which thread holds the first 4 rows of 16 columns")
  local c, a = owners("C", 16, 8), owners("A", 16, 16)
  c.caption = zh and "两块和（m16n8k16 的 C），第一次乘法的结果" or
    "two tiles of sums (C of m16n8k16): what the first product leaves"
  a.caption = zh and "一块左操作数（A），第二次乘法要读的" or
    "one left operand (A): what the second product reads"
  f:grid(c)
  f:grid(a)
  return f
end

-- The way of one tile of hidden numbers.
local function way(zh)
  local f = viz.figure(zh and "一个线程块：沿 H 逐块前进" or "one block: along H, tile by tile")
  return f:table {align = "llll", head = {"h", zh and "第一次乘法" or "first product",
    zh and "之间" or "between", zh and "第二次乘法" or "second product"}, rows = {
    {"0", "hidden  = A[by] * B[:, 0]", "relu, float16", "out += hidden16 * C[0, bx]"},
    {"1", "hidden  = A[by] * B[:, 1]", "relu, float16", "out += hidden16 * C[1, bx]"},
    {"..", "", "", ""},
  }}
end

return {registers = registers, way = way}
