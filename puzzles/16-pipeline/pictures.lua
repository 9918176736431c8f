-- pictures.lua: turns of a loop with one buffer and with three.
local viz = require "moontile.viz"

local Turns, Copy, Sum = 6, 5, 2 -- a copy takes five units of time, a sum two

-- When the copies and sums of a loop with this many buffers begin.
local function schedule(stages)
  local copies, sums = {}, {}
  for i = 1, Turns do
    -- a buffer is free when the sum that read it is done
    copies[i] = i <= stages and (i - 1) * 0.5 or
      math.max(sums[i - stages] + Sum, copies[i - 1] + 0.5)
    sums[i] = math.max(copies[i] + Copy, i > 1 and sums[i - 1] + Sum or 0)
  end
  return copies, sums
end

local function spans(list, length, first, step)
  local t = {}
  for i = first, Turns, step do
    t[#t + 1] = {list[i], list[i] + length, tostring(i - 1), i - 1}
  end
  return t
end

local function overlap(zh)
  local c1, s1 = schedule(1)
  local c3, s3 = schedule(3)
  local copy, sum = zh and "拷贝" or "copy", zh and "求和" or "sum"
  local rows = {
    {label = "1: " .. copy, spans = spans(c1, Copy, 1, 1)},
    {label = "1: " .. sum, spans = spans(s1, Sum, 1, 1)},
  }
  for slot = 0, 2 do
    rows[#rows + 1] = {label = ("3: %s [%d]"):format(copy, slot),
      spans = spans(c3, Copy, slot + 1, 3)}
  end
  rows[#rows + 1] = {label = "3: " .. sum, spans = spans(s3, Sum, 1, 1)}
  local f = viz.figure(zh and "同样的六轮，一级与三级" or
    "the same six iterations with one stage and with three")
  return f:track{rows = rows, unit = zh and "时间" or "time", caption = zh and
    "数字是轮次；[0] [1] [2] 是各级" or "a number is an iteration; [0] [1] [2] are the stages"}
end

return {overlap = overlap}
