-- pictures.lua: ten steps of K, by one block and by four.
local viz = require "moontile.viz"

local Steps, Split = 10, 4

local function split(zh)
  local f = viz.figure(zh and "C 的一个分块，K 有 10 步" or "one tile of C, K in 10 steps")
  local rows = {{label = zh and "一个线程块" or "one block", spans = {{0, Steps, "0 .. 9", 0}}}}
  local each = -(-Steps // Split)
  for bz = 0, Split - 1 do
    local from = bz * each
    local to = math.min(from + each, Steps)
    local label = to - from > 1 and ("%d .. %d"):format(from, to - 1) or ("%d"):format(from)
    rows[#rows + 1] = {label = "bz = " .. bz, spans = {{0, to - from, label, 1 + bz}},
      marks = {{each, "+"}}}
  end
  return f:track{rows = rows, unit = zh and "时间" or "time", caption = zh and
    "+ 是加到 C 上的原子加" or "+ is the atomic addition to C"}
end

return {split = split}
