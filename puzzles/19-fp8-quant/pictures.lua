-- 19-fp8-quant: what a row becomes, and which numbers float8 has.

local tl = require "moontile.tl"
local viz = require "moontile.viz"

local function number(v)
  return ("%g"):format(v)
end

-- Five numbers and their bytes, by way of the scale.
local function row(zh)
  local x = {3.5, -0.7, 0.02, 10, -1.25}
  local most = 10
  local s = most / 448
  local rows = {{"x"}, {"x / s"}, {zh and "float8" or "as float8"}, {zh and "再乘 s" or "times s"}}
  for i, v in ipairs(x) do
    local q = tl.from_table({v / s}, "float8_e4m3fn"):to("float32")[0]
    rows[1][i + 1], rows[2][i + 1] = number(v), ("%.2f"):format(v / s)
    rows[3][i + 1], rows[4][i + 1] = number(q), ("%.4f"):format(q * s)
  end
  local f = viz.figure(zh and "一行五个数：最大幅值 10，s = 10 / 448 = 0.02232" or
    "a row of five: the largest magnitude is 10, s = 10 / 448 = 0.02232")
  return f:table {rows = rows, align = "lrrrrr", head = {"", "0", "1", "2", "3", "4"}}
end

-- The numbers of float8: eight in each octave, fewer below and in the last one.
local function numbers(zh)
  local f = viz.figure(zh and "float8_e4m3fn 的正数" or "the positive numbers of float8_e4m3fn")
  local rows = {{"0 .. 1/64", "1/512", "1/512 2/512 3/512 4/512 5/512 6/512 7/512"}}
  for _, from in ipairs {1, 2, 128, 256} do
    local list = {}
    for v = from, math.min(2 * from - from / 8, 448), from / 8 do
      list[#list + 1] = number(v)
    end
    rows[#rows + 1] = {("%g .. %g"):format(from, 2 * from), number(from / 8),
      table.concat(list, " ")}
  end
  return f:table {rows = rows, align = "lll", head = {zh and "区间" or "range",
    zh and "步长" or "step", zh and "其中的数" or "numbers"}}
end

return {row = row, numbers = numbers}
