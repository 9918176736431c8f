-- What README.md and the pages that it leads to count is what there is in the tests and folders.
local function slurp(path)
  local f <close> = assert(io.open(path))
  return f:read "a"
end

local pages = {}
for i, page in ipairs {"README.md", "targets/README.md", "tests/bench/README.md"} do
  pages[i] = slurp("../../" .. page)
end
local readme = table.concat(pages)

-- What these tests expect, as one text.
local function expected(folder, ...)
  local t = {}
  for i, name in ipairs {...} do
    t[i] = slurp(("../%s/%s.out"):format(folder, name))
  end
  return table.concat(t)
end

-- How often a pattern is in a text, or the sum of its first number.
local function count(text, pattern)
  local n = 0
  for v in text:gmatch(pattern) do
    n = n + (tonumber(v) or 1)
  end
  return n
end

local function says(words, ...)
  local text = words:format(...)
  print(readme:find(text, 1, true) and "it says" or "it does not say", text)
end

local mutants = expected("mutants", "attention", "barriers_c500", "barriers_simt", "barriers_sm_80",
  "barriers_sm_90a", "gemm", "places", "rows", "threads", "tile")
local seeded = count(mutants, "(%d+) mutants, 0 missed") - count(mutants, "harmless: ") +
  count(mutants, "(%d+) barriers, 0 not needed")
local silent = count(mutants, " wrong\n")
local right = expected("silent", "pipelines", "threads", "tiles")
says("%d by the simulator and %d by their results, of %d / 0 of %d", seeded - silent, silent, seeded,
  count(right, "(%d+) kernels, %d+ runs, 0 false alarms"))

local conform = expected("conform", "attention", "elementwise", "gemm", "reduce")
says("all %d products and all %d attentions", count(expected("conform", "gemm"), "(%d+) cases, 0"),
  count(expected("conform", "attention"), "(%d+) cases, 0"))
says("all %d cases of the conformance suite", count(conform, "(%d+) cases, 0 failures"))

says("%d puzzles, from a copy", #require("moontile.puzzles.index").puzzles)

-- People read the first page.
local _, lines = pages[1]:gsub("\n", "")
print("README.md has at most 150 lines", lines <= 150)
