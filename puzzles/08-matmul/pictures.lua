-- 08-matmul: the tiles that one block meets, and when it meets them.

local viz = require "moontile.viz"

-- A grid of tiles; those that the block meets carry the step at which it does.
local function tiles(f, rows, cols, step, caption)
  local labels, hues = {}, {}
  for i = 0, rows - 1 do
    for j = 0, cols - 1 do
      local s = step(i, j)
      labels[#labels + 1] = s or "."
      hues[#hues + 1] = s and viz.accent or viz.dim
    end
  end
  f:grid {rows = rows, cols = cols, labels = labels, hues = hues, caption = caption}
end

-- y = A b: block 1 walks along its rows of A and along b.
local function vector(zh)
  local f = viz.figure(zh and "线程块 bx = 1 在第 ko 步遇到的分块" or
    "block bx = 1: the tiles it meets, at which step ko")
  f:row()
  tiles(f, 3, 4, function(i, j) return i == 1 and tostring(j) end, "A: M x K")
  tiles(f, 4, 1, function(i) return tostring(i) end, "b: K")
  tiles(f, 3, 1, function(i) return i == 1 and "sum" end, "C: M")
  return f
end

-- C = A B: block (bx = 2, by = 1) walks along a row of tiles of A and down a column of B's.
local function walk(zh)
  local f = viz.figure(zh and "线程块 (bx = 2, by = 1) 在第 ko 步遇到的分块" or
    "block (bx = 2, by = 1): the tiles it meets, at which step ko")
  f:row()
  tiles(f, 2, 4, function(i, j) return i == 1 and tostring(j) end, "A: M x K")
  tiles(f, 4, 3, function(i, j) return j == 2 and tostring(i) end, "B: K x N")
  tiles(f, 2, 3, function(i, j) return i == 1 and j == 2 and "C" end, "C: M x N")
  return f
end

-- Five steps: a copy is under way for 3 units of time, a product takes 2.
local function ahead(zh)
  local f = viz.figure(zh and "同样的五步：依次进行，以及 num_stages = 3" or
    "the same five steps: one after another, and with num_stages = 3")
  local function track(names, starts, gemm, caption)
    local rows, products = {}, {}
    for i, name in ipairs(names) do
      rows[i] = {label = name, spans = {}}
    end
    for i = 0, 4 do
      local spans = rows[i % #names + 1].spans
      spans[#spans + 1] = {starts(i), starts(i) + 3, tostring(i), i}
      products[i + 1] = {gemm(i), gemm(i) + 2, tostring(i), i}
    end
    rows[#rows + 1] = {label = "T.gemm", spans = products}
    f:track {rows = rows, from = 0, to = 25, unit = zh and "时间" or "time", caption = caption}
  end
  local name = zh and "复制到缓冲区 %d" or "copy to stage %d"
  track({name:format(0)}, function(i) return 5 * i end, function(i) return 5 * i + 3 end,
    "T.Serial")
  track({name:format(0), name:format(1), name:format(2)},
    function(i) return i < 2 and 0 or 2 * i - 1 end, function(i) return 3 + 2 * i end,
    zh and "T.Pipelined：三份缓冲区，复制提前两步" or
    "T.Pipelined: three stages of each tile, copies run two steps ahead")
  return f
end

return {vector = vector, walk = walk, ahead = ahead}
