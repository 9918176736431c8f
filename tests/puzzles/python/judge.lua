-- Every puzzle in Python: what is made of the starter runs and fails, what is made of the solution is right.
local inpython = require "moontile.puzzles.judge.inpython"
local judge = require "moontile.puzzles.judge"
local puzzle = require "moontile.puzzles.judge.puzzle"

local function verdict(p, text, file)
  return judge.judge(p, {text = text, chunk = "@" .. file, target = "sim", hidden = false, seed = 1})
end

for _, p in ipairs(puzzle.course().puzzles) do
  local starter = verdict(p, inpython.file(p.read "starter.lua"), p.folder .. ".py")
  local right = verdict(p, inpython.file(p.read "solution.lua"), p.folder .. ".py")
  print(("%-20s starter: %s of %s; solution: %s"):format(p.folder, starter.outcome, starter.part, right.ok and "right" or right.outcome .. "\n" .. (right.error and right.error.text or right.sentence.en)))
end
