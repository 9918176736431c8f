-- What the judge says of slips in Python: of texts that cannot be read, kernels that it does not find, what a solution may not.
local inpython = require "moontile.puzzles.judge.inpython"
local judge = require "moontile.puzzles.judge"
local puzzle = require "moontile.puzzles.judge.puzzle"

local p
for _, q in ipairs(puzzle.course().puzzles) do
  p = q.folder == "03-outer-add" and q or p
end
local right = inpython.file(p.read "solution.lua")

-- The solution with something else in its text, all plain.
local function with(from, to)
  local at, last = right:find(from, 1, true)
  return right:sub(1, at - 1) .. to .. right:sub(last + 1)
end

local loop = "        for i, j in T.Parallel(BLOCK_M, BLOCK_N):\n"
local slips = {
  {"no colon", with(loop, loop:sub(1, -3) .. "\n")},
  {"&&", with(loop, "        if bx == 0 && by == 0:\n            pass\n" .. loop)},
  {"break outside a loop", with(loop, "        break\n" .. loop)},
  {"another name", with("def outer_add", "def outeradd")},
  {"no decorator", with("@tilelang.jit\n", "")},
  {"a loop without an end", with(loop, "        while True:\n            pass\n" .. loop)},
  {"open", with("import tilelang\n", "import tilelang\nopen('x')\n")},
  {"numpy", with("import tilelang\n", "import tilelang\nimport numpy\n")},
  {"threadIdx", with(loop, "        i = threadIdx.x\n" .. loop)},
  {"a new axis", with("    return C", "    return A[:, None] + B[None, :]")},
}
for _, slip in ipairs(slips) do
  local v = judge.judge(p, {text = slip[2], chunk = "@03-outer-add.py", target = "sim", hidden = false, seed = 1,
    limits = {seconds = 100, instructions = 20 * 1000 * 1000}})
  print("--- " .. slip[1] .. ": " .. v.outcome)
  print(v.sentence.en .. "\n" .. v.sentence.zh)
  if v.hint then
    print(v.hint.en .. "\n" .. v.hint.zh)
  end
  if v.error then
    io.write(v.error.text, "\n")
  end
end
