-- 22-wave64: the same threads on two machines, and the steps of a sum.

local viz = require "moontile.viz"

-- 128 threads as warps of `lanes`.
local function warps(f, lanes, zh)
  local spans = {}
  for w = 0, 128 // lanes - 1 do
    spans[#spans + 1] = {w * lanes, (w + 1) * lanes, ("warp %d"):format(w), w}
  end
  return {label = zh and ("%d 通道"):format(lanes) or ("%d lanes"):format(lanes), spans = spans}
end

local function lanes(zh)
  local f = viz.figure(zh and "一个块的 128 个线程，在两种机器上" or
    "the 128 threads of a block, on two machines")
  local groups = {}
  for g = 0, 3 do
    groups[#groups + 1] = {g * 32, (g + 1) * 32, zh and ("组 %d"):format(g) or
      ("group %d"):format(g), 4 + g}
  end
  f:track {rows = {{label = zh and "32 个一组" or "by 32", spans = groups}, warps(f, 32, zh),
    warps(f, 64, zh)}, from = 0, to = 128, unit = zh and "线程" or "thread"}
  return f
end

-- What eight lanes hold after each step, when they began with 1 to 8.
local function butterfly(zh)
  local f = viz.figure(zh and "八个通道从 1 到 8 开始：每一步之后各自持有的数" or
    "eight lanes that begin with 1 to 8: what each holds after each step")
  local labels, hues, heads = {}, {}, {zh and "开始" or "start"}
  local held = {}
  for l = 0, 7 do
    held[l] = l + 1
  end
  local function row(delta)
    for l = 0, 7 do
      labels[#labels + 1], hues[#hues + 1] = tostring(held[l]), l % delta
    end
  end
  row(8)
  for _, delta in ipairs {4, 2, 1} do
    local after = {}
    for l = 0, 7 do
      after[l] = held[l] + held[l ~ delta]
    end
    held = after
    heads[#heads + 1] = ("v += T.shfl_xor(v, %d)"):format(delta)
    row(delta)
  end
  f:grid {rows = 4, cols = 8, labels = labels, hues = hues, row_heads = heads,
    col_name = zh and "通道" or "lane", col_heads = {"0", "1", "2", "3", "4", "5", "6", "7"}}
  return f
end

return {lanes = lanes, butterfly = butterfly}
