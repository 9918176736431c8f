-- Every puzzle in Python: what is made of the starter runs and fails as that in Lua does, what is made of the
-- solution is right.
local inpython = require "moontile.puzzles.judge.inpython"
local judge = require "moontile.puzzles.judge"
local puzzle = require "moontile.puzzles.judge.puzzle"

local function verdict(p, text, file)
  return judge.judge(p, {text = text, chunk = "@" .. file, target = "sim", hidden = false, seed = 1})
end

for _, p in ipairs(puzzle.course().puzzles) do
  local starter, solution = p.read "starter.lua", p.read "solution.lua"
  local lua = verdict(p, starter, p.folder .. ".lua")
  local python = verdict(p, inpython.file(starter), p.folder .. ".py")
  local right = verdict(p, inpython.file(solution), p.folder .. ".py")
  print(("%-20s starter: %s of %s%s; solution: %s"):format(p.folder, python.outcome, python.part,
    (python.outcome ~= lua.outcome or python.part ~= lua.part) and ", in Lua " .. lua.outcome or "",
    right.ok and "right" or right.outcome .. "\n" .. (right.error and right.error.text or right.sentence.en)))
end
