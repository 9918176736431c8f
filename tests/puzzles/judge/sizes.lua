-- Hidden sizes that the goals are asked of: of many seeds none has a number that was shown,
-- where the ranges leave another.
local cases = require "moontile.puzzles.judge.cases"
local puzzle = require "moontile.puzzles.judge.puzzle"

local function count(p, part)
  local shown, asked, other = 0, 0, 0
  for seed = 1, 300 do
    for _, case in ipairs(cases.list(p, part, {seed = seed, hidden = true})) do
      if case.number > #part.visible + 3 and not case.beyond then
        asked = asked + 1
        other = other + (case.asked and 0 or 1)
        for name, v in pairs(case.size) do
          for _, size in ipairs(part.visible) do
            shown = shown + (size[name] == v and 1 or 0)
          end
        end
      end
    end
  end
  print(("%-18s %-14s %d sizes, %d of them not asked of, %d numbers that were shown"):format(p.name,
    part.name, asked, other, shown))
end

for _, p in ipairs(puzzle.course().puzzles) do
  for _, part in ipairs(p.parts) do
    if part.asked then
      count(p, part)
    end
  end
end
