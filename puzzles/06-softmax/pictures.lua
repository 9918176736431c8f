-- 06-softmax: the running values of one row, and what the ways of computing it move.

local viz = require "moontile.viz"

local function log2(x)
  return math.log(x) / math.log(2)
end

local function number(x)
  return ("%.4g"):format(x)
end

-- One row in tiles of two, its numbers already times log2(e).
local function running(zh)
  local f = viz.figure(zh and "一行 z = 1 2 4 3 2（已乘 log2 e），每个分块 2 列" or
    "one row, z = 1 2 4 3 2 (times log2 e already), in tiles of 2")
  local row, rows = {{1, 2}, {4, 3}, {2}}, {}
  local top, lse = -math.huge, -math.huge
  for k, tile in ipairs(row) do
    local before, part = lse, 0
    top = math.max(top, table.unpack(tile))
    for _, z in ipairs(tile) do
      part = part + 2 ^ (z - top)
    end
    lse = top + log2(2 ^ (before - top) + part)
    rows[k] = {tostring(k - 1), table.concat(tile, " "), number(top), number(2 ^ (before - top)),
      number(part), number(lse)}
  end
  return f:table {rows = rows, align = "clcccc", head = {"k", zh and "分块" or "tile", "top",
    "2^(lse - top)", zh and "part：2^(z - top) 之和" or "part: sum of 2^(z - top)",
    zh and "新的 lse" or "new lse"}}
end

-- Reads and writes of the whole matrix.
local function traffic(zh)
  local f = viz.figure(zh and "整个矩阵要读写几遍" or "how often the whole matrix is read or written")
  local function bar(en, cn, n)
    return {label = zh and cn or en, value = n, text = tostring(n)}
  end
  return f:bars {
    bar("max, exp, sum, divide: four kernels", "max、exp、sum、除法各一个内核", 6),
    bar("maximum, sum, result: three passes", "最大值、和、结果：三遍", 4),
    bar("this puzzle: two passes", "本题：两遍", 3),
    bar("a row that fits into registers", "一行放得进寄存器", 2),
  }
end

return {running = running, traffic = traffic}
