-- Errors within the limit of the next lower precision are imprecision only where they look like its roundings: the
-- limit of a long sum leaves room for tiles that were missed.
local cases = require "moontile.puzzles.judge.cases"
local compare = require "moontile.puzzles.judge.compare"
local puzzle = require "moontile.puzzles.judge.puzzle"
local tl = require "moontile.tl.tensor"

local p = puzzle.find(puzzle.course(), "matmul")
local part = puzzle.part(p, "gemv")

-- The sums of the first n terms of each row, each rounded to `dtype`.
local function sums(x, n, dtype)
  local a, b = x.A:to "float64", x.b:to "float64"
  local out = tl.zeros({a.shape[1]}, "float64")
  for i = 0, a.shape[1] - 1 do
    local s = tl.zeros({1}, dtype)
    for k = 0, n - 1 do
      s[0] = s[0] + a[{i, k}] * b[k]
    end
    out[i] = s[0]
  end
  return out:to "float16"
end

for _, size in ipairs {{M = 5, K = 1900}, {M = 60, K = 577}, {M = 4, K = 1000}} do
  local case = {stage = "hidden", size = size, seed = 12, number = 1}
  local _, x = cases.inputs(p, part, case)
  local e = compare.expected(p, part, case, x)[1]
  for _, kind in ipairs {{"float32 sums", size.K, "float32"}, {"float16 sums", size.K, "float16"},
    {"ten tiles", math.min(640, size.K // 2), "float32"}} do
    local r = compare.judge(e, sums(x, kind[2], kind[3]))
    print(("%-16s %-16s %s"):format(cases.text(size), kind[1], not r and "right" or r.weak and "weak" or "wrong"))
  end
end
