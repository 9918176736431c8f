-- 05-row-sum: the walk of a block along its rows, the running sum, and a reduction.

local viz = require "moontile.viz"

-- Which block takes which rows, and in which turn which columns.
local function walk(zh)
  local f = viz.figure(zh and "A 为 20 x 300，分块为 16 x 128：表头是列号" or
    "A of 20 x 300 in tiles of 16 x 128: the heads are columns")
  local M, N, rows = 20, 300, {}
  local head = {"bx", zh and "行" or "rows"}
  for k = 0, 2 do
    head[k + 3] = ("%d..%d"):format(k * 128, math.min(k * 128 + 127, N - 1))
  end
  head[6] = zh and "结果" or "gives"
  for bx = 0, 1 do
    local from, to = bx * 16, math.min(bx * 16 + 15, M - 1)
    rows[bx + 1] = {tostring(bx), ("%d..%d"):format(from, to), "k = 0 →", "k = 1 →", "k = 2 →",
      ("B[%d:%d]"):format(from, to + 1)}
  end
  return f:table {head = head, rows = rows, align = "clcccl"}
end

-- One row of five numbers in tiles of two: what is in sum after each turn.
local function running(zh)
  local f = viz.figure(zh and "一行 3 1 4 1 5，每个分块 2 列" or "one row, 3 1 4 1 5, in tiles of 2")
  local row, rows, sum = {3, 1, 4, 1, 5}, {}, 0
  for k = 0, 2 do
    local x, y = row[2 * k + 1], row[2 * k + 2] or 0
    rows[k + 1] = {tostring(k), row[2 * k + 2] and ("%d %d"):format(x, y) or
      (zh and "%d 0（0 在行尾之外）" or "%d 0 (the 0 is past the end)"):format(x), tostring(x + y),
      ("%d + %d = %d"):format(sum, x + y, sum + x + y)}
    sum = sum + x + y
  end
  return f:table {head = {"k", zh and "分块" or "tile", zh and "分块之和" or "its sum", "sum[i]"},
    rows = rows, align = "clcl"}
end

-- Eight lanes add up in three steps: whose value each one takes.
local function butterfly(zh)
  local f = viz.figure(zh and "8 个 lane 求和：每一步各自加上谁的值" or
    "eight lanes add up: whose value each one adds in each step")
  local labels, hues, heads, cols = {}, {}, {}, {}
  for step = 0, 2 do
    heads[step + 1] = ("xor %d"):format(1 << step)
    for lane = 0, 7 do
      cols[lane + 1] = ("t%d"):format(lane)
      labels[#labels + 1] = ("+t%d"):format(lane ~ (1 << step))
      hues[#hues + 1] = lane >> (step + 1)
    end
  end
  return f:grid {rows = 3, cols = 8, labels = labels, hues = hues, row_heads = heads,
    col_heads = cols, row_name = zh and "步" or "step", col_name = "lane"}
end

return {walk = walk, running = running, butterfly = butterfly}
