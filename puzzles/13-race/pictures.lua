-- 13-race: two warps that do not wait for each other, and two that do; sums by doubling.

local viz = require "moontile.viz"

-- One round of threads 31 (the last of warp 0) and 32 (the first of warp 1), drawn over time.
-- spans: {from, to, text, hue}
local function rows(f, zh, warp0, warp1)
  f:track {rows = {{label = "t = 31", spans = warp0}, {label = "t = 32", spans = warp1}},
    from = 0, to = 60, unit = zh and "时间" or "time"}
end

local function race(zh)
  local r, w = zh and "读 " or "reads ", zh and "写 " or "writes "
  local f = viz.figure(zh and "没有屏障：t = 32 读到的 rod[31] 已经是新值" or
    "without a barrier: t = 32 reads a rod[31] that is new already")
  rows(f, zh, {{0, 16, r .. "30, 32", 2}, {16, 28, w .. "31", 1}},
    {{30, 46, r .. "31, 33", 2}, {46, 58, w .. "32", 1}})
  f:text(zh and "哪个 warp 在先，每次运行都可能不同" or
    "which warp comes first may differ from run to run")
  return f
end

local function barrier(zh)
  local r, w = zh and "读 " or "reads ", zh and "写 " or "writes "
  local f = viz.figure(zh and "读与写之间有屏障：先到的等后到的" or
    "a barrier between reading and writing: the first waits for the last")
  local wait = zh and "等待" or "waits"
  rows(f, zh, {{0, 16, r .. "30, 32", 2}, {16, 30, wait, viz.dim}, {30, 42, w .. "31", 1}},
    {{14, 30, r .. "31, 33", 2}, {30, 42, w .. "32", 1}})
  return f
end

-- Eight cells of ones after each round of the second kernel.
local function doubling(zh)
  local f = viz.figure(zh and "八个格子，开始都是 1：每轮之后的值" or
    "eight cells that begin as 1: their values after each round")
  local labels, hues, heads = {}, {}, {zh and "开始" or "start"}
  local sum = {1, 1, 1, 1, 1, 1, 1, 1}
  local function row()
    for t = 1, 8 do
      labels[#labels + 1], hues[#hues + 1] = tostring(sum[t]), sum[t] % 8
    end
  end
  row()
  for r = 0, 2 do
    for t = 8, (1 << r) + 1, -1 do
      sum[t] = sum[t] + sum[t - (1 << r)]
    end
    heads[#heads + 1] = zh and ("r = %d，距离 %d"):format(r, 1 << r) or
      ("r = %d, distance %d"):format(r, 1 << r)
    row()
  end
  f:grid {rows = 4, cols = 8, labels = labels, hues = hues, row_heads = heads, col_name = "t",
    col_heads = {"0", "1", "2", "3", "4", "5", "6", "7"}}
  return f
end

return {race = race, barrier = barrier, doubling = doubling}
