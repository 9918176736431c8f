-- 17-flash-attention: which tiles of the scores a block visits, and what is kept of them.

local viz = require "moontile.viz"

local Queries, Keys = 64, 32 -- BLOCK_M, BLOCK_N

-- 256 queries and keys: tiles that count whole, that are masked in part, that are left out.
local function tiles(zh)
  local f = viz.figure(zh and "causal，S = 256：分数矩阵的分块，每行一个线程块" or
    "causal, S = 256: tiles of the scores; a row of them is a block")
  local labels, hues, rows, cols = {}, {}, {}, {}
  for bx = 0, 256 // Queries - 1 do
    rows[bx + 1] = ("bx = %d"):format(bx)
    for k = 0, 256 // Keys - 1 do
      local first, last = k * Keys, k * Keys + Keys - 1
      local whole = last <= bx * Queries
      local none = first > bx * Queries + Queries - 1
      cols[k + 1] = tostring(k)
      labels[#labels + 1] = none and "." or whole and (zh and "全" or "all") or
        (zh and "部分" or "part")
      hues[#hues + 1] = none and viz.dim or whole and 0 or viz.accent
    end
  end
  return f:grid {rows = #rows, cols = #cols, labels = labels, hues = hues, row_heads = rows,
    col_heads = cols, col_name = "k", caption = zh and
      "全：每个键都计入；部分：由掩码决定；.：完全在未来，不访问" or
      "all: every key counts; part: the mask decides; .: the future, not visited"}
end

-- Bytes for one head of 4096 queries and keys of 128 numbers, by what is written down.
local function traffic(zh)
  local S, D = 4096, 128
  local f = viz.figure(zh and "S = 4096，D = 128，一个头：移动的字节" or
    "S = 4096, D = 128, one head: bytes moved")
  local function bar(en, cn, bytes)
    return {label = zh and cn or en, value = bytes, text = ("%.0f MB"):format(bytes / 1e6)}
  end
  local visits = S // Queries * S * D * 2 * 2
  return f:bars {
    bar("scores and weights in memory", "分数与权重放在内存", 2 * 4 * D * S + 2 * 2 * 4 * S * S),
    bar("this puzzle, BLOCK_M = 64", "本题，BLOCK_M = 64", 2 * 2 * D * S + visits),
    bar("the same, BLOCK_M = 128", "同上，BLOCK_M = 128", 2 * 2 * D * S + visits / 2),
  }
end

return {tiles = tiles, traffic = traffic}
