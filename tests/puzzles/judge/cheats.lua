-- Answers that try to pass without being right: each must be rejected, and for its reason.
local judge = require "moontile.puzzles.judge"
local puzzle = require "moontile.puzzles.judge.puzzle"

local p = puzzle.find(puzzle.course "lib/track", "double")

local head = [[
double = tl.jit(function(A, BLOCK)
  local N = T.const "N"
  A: T.Tensor({N}, T.float16)
]]
local loop = [[
  local B = T.empty({N}, T.float16)
  for bx in T.Kernel(T.ceildiv(N, BLOCK), {threads = 64}) do
    for i in T.Parallel(BLOCK) do
]]
local tail = [[
    end
  end
  return B
end)
]]
local right = "      B[bx * BLOCK + i] = A[bx * BLOCK + i] * 2 + T.cast(bx * BLOCK + i, T.float32)\n"

local list = {
  {"the real thing", head .. loop .. right .. tail},
  {"with local in front", "local " .. head .. loop .. right .. tail},
  {"zeros", head .. loop .. "      B[bx * BLOCK + i] = 0\n" .. tail},
  {"NaN for everything", head .. loop .. "      B[bx * BLOCK + i] = T.cast(0, T.float32) / 0\n" .. tail},
  {"infinity", head .. loop .. "      B[bx * BLOCK + i] = T.infinity(T.float16)\n" .. tail},
  {"inputs made to fit", head .. loop .. "      A[bx * BLOCK + i] = 0\n      " ..
    "B[bx * BLOCK + i] = T.cast(bx * BLOCK + i, T.float32)\n" .. tail},
  {"right, but the input is changed", head .. loop .. right .. "      A[bx * BLOCK + i] = 1\n" .. tail},
  {"what stood in the output", head .. loop .. "      B[bx * BLOCK + i] = B[bx * BLOCK + i] * 2\n" ..
    tail},
  {"only the sizes that are shown", head .. "  local shown = N == 64 or N == 100\n" .. loop ..
    "      B[bx * BLOCK + i] = shown and A[bx * BLOCK + i] * 2 + T.cast(bx * BLOCK + i, T.float32) or 0\n" ..
    tail},
  {"a result of another shape", head .. loop:gsub("{N}", "{N + 64}") .. right .. tail},
  {"a result of another dtype", head .. loop:gsub("T.float16", "T.float32") .. right .. tail},
  {"another argument", head:gsub("A, BLOCK", "A, C, BLOCK") .. "  C: T.Tensor({N}, T.float16)\n" .. loop ..
    right .. tail},
  {"another name", (head .. loop .. right .. tail):gsub("double", "triple")},
  {"no kernel", "print 'right'\n"},
  {"a verdict of its own", "print '✓ Twice: right.  ★★★'\n" .. head .. loop ..
    "      B[bx * BLOCK + i] = 1\n" .. tail},
  {"a different answer each time", head .. [[
  local B = T.empty({N}, T.float16)
  for bx in T.Kernel(2, {threads = 64}) do
    for i in T.serial(N) do
      B[i] = A[i] * 2 + T.cast(i, T.float32) + bx
    end
  end
  return B
end)
]]},
  {"half precision's steps", head .. loop ..
    "      B[bx * BLOCK + i] = T.cast(A[bx * BLOCK + i] * 2, T.float8_e4m3fn) + T.cast(bx * BLOCK + i, T.float16)\n" ..
    tail},
  {"another T", "T.copy = function() end\nT.Parallel = nil\n" .. head .. loop .. right .. tail},
  {"another judge", "package.loaded = {}\n"},
  {"a file", "io.open('/etc/passwd')\n"},
  {"a loop without end", "while true do end\n"},
}

for _, c in ipairs(list) do
  local v = judge.judge(p, {text = c[2], chunk = "@cheat.lua", target = "cpu", seed = 7,
    limits = {instructions = 20 * 1000 * 1000}})
  print(("%-34s %-10s %s"):format(c[1], v.outcome, v.ok and v.stars .. " stars" or v.sentence.en))
  if v.error then
    print("    " .. v.error.text:match "^[^\n]*")
  end
end
