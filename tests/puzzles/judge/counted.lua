-- Solutions of which one count, of a grid's blocks or of a loop's turns, is a number that is enough for all sizes
-- that are run: each must be rejected for that.
local judge = require "moontile.puzzles.judge"
local puzzle = require "moontile.puzzles.judge.puzzle"

local Enough = "40" -- times a tile of any of them

-- The part in whose kernel the text at `at` is.
local function part_at(p, text, at)
  local found
  for _, part in ipairs(p.parts) do
    local from = text:find(part.name .. " = tl.jit", 1, true)
    found = from and from < at and part.name or found
  end
  return found
end

local course = puzzle.course()
for _, name in ipairs {"vector-add", "outer-add", "backward", "row-sum", "softmax", "scalar-attention", "matmul", "conv1d",
  "transpose", "bank-conflicts", "flash-attention", "fp8-quant"} do
  local p = puzzle.find(course, name)
  local text = p.read "solution.lua"
  for at, count, behind in text:gmatch "()(T%.ceildiv%b())()" do
    local part = part_at(p, text, at)
    local v = judge.judge(p, {text = text:sub(1, at - 1) .. Enough .. text:sub(behind), chunk = "@solution.lua", seed = 11,
      part = part, target = "sim"})
    print(("%-18s %-20s %-24s %s"):format(name, part, count, v.outcome == "wrong" and v.cause == "counted" and "counted" or
      v.outcome .. ": " .. v.sentence.en))
  end
end
