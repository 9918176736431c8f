-- 01-copy: which block copies which elements, and what the threads of one do.

local viz = require "moontile.viz"

-- Three tiles of 1024 over 2500 elements; the last one hangs over the end.
local function tiles(zh)
  local f = viz.figure(zh and "N = 2500 个元素，BLOCK = 1024" or "N = 2500 elements, BLOCK = 1024")
  local function row(bx, from, to, beyond)
    local spans = {{from, to, ("%d..%s"):format(from, beyond and "" or to - 1), bx}}
    if beyond then
      spans[2] = {to, beyond, zh and "没有元素" or "no element", viz.dim}
    end
    return {label = ("bx = %d"):format(bx), spans = spans}
  end
  f:track {
    rows = {
      {label = "A, B", spans = {{0, 2500, "0..2499", 7}}},
      row(0, 0, 1024), row(1, 1024, 2048), row(2, 2048, 2500, 3072),
    },
    from = 0, to = 3072, unit = zh and "元素" or "element",
  }
  return f
end

-- The first elements of a tile: eight to a thread.
local function threads(zh)
  local f = viz.figure(zh and "一个分块的前 32 个元素：由线程 t0、t1……复制" or
    "the first 32 elements of a tile, and the thread that copies them")
  local labels, hues = {}, {}
  for i = 0, 31 do
    labels[i + 1], hues[i + 1] = ("t%d"):format(i // 8), i // 8
  end
  f:grid {rows = 2, cols = 16, labels = labels, hues = hues, row_heads = {"0", "16"}, gap_cols = 8}
  return f
end

return {tiles = tiles, threads = threads}
