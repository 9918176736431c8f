-- Puzzles of other people that are broken or hostile: clear errors, and nothing of the
-- machine within reach.
local judge = require "moontile.puzzles.judge"
local puzzle = require "moontile.puzzles.judge.puzzle"
local report = require "moontile.puzzles.judge.report"

local tmp = os.getenv "TMP"

local function write(path, text)
  local f = assert(io.open(tmp .. "/" .. path, "wb"))
  f:write(text)
  f:close()
end

local good = io.open "lib/track/01-double/puzzle.lua":read "a"
local solution = io.open "lib/track/01-double/solution.lua":read "a"
os.execute("mkdir -p '" .. tmp .. "/01-double'")

-- The first lines of what opening and judging says.
local function try(what, text, index)
  write("index.lua", index or 'return {puzzles = {"01-double"}}\n')
  write("01-double/puzzle.lua", text)
  write("01-double/solution.lua", solution)
  local ok, e = pcall(function()
    local p = puzzle.course(tmp).puzzles[1]
    local v = judge.judge(p, {text = solution, chunk = "@double.lua", target = "sim", seed = 3})
    return v.outcome .. (v.error and ": " .. v.error.text or "")
  end)
  e = tostring(e):gsub(tmp, "TMP"):gsub("files.lua:%d+[:%d]*: ", "")
  print(("%-28s %s"):format(what, e:match "^[^\n]*"))
end

try("as it is", good)
try("no list", good, "return {}\n")
try("a path", good, 'return {puzzles = {"../01-double"}}\n')
try("a folder that is missing", good, 'return {puzzles = {"02-none"}}\n')
try("no Lua", "return {\n")
try("a string", "return 'x'\n")
try("a title in one language", (good:gsub(', zh = "两倍"', "")))
try("an unknown field", (good:gsub("minutes =", "minuts =")))
local bare = good:gsub("minutes = %d+,?", ""):gsub("hidden =", "hiden =")
try("what it and its parts lack", (bare:gsub('dtype = "float16"', "", 2)))
try("a part's unknown field", (good:gsub("config =", "konfig =")))
try("a wrong dtype", (good:gsub('dtype = "float16"', 'dtype = "float17"', 1)))
try("a shape that has no value", (good:gsub('"N"}, dtype', '"K"}, dtype', 1)))
try("a shape that is a call", (good:gsub('"N"}, dtype', '"os.exit()"}, dtype', 1)))
try("a reference of a wrong shape", (good:gsub("size%.N%)", "size.N + 1)")))
try("a reference without B", (good:gsub("{B =", "{C =")))
try("files", "io.open('x')\n")
try("programs", "os.execute('true')\n")
try("other code", "load('return 1')()\n")
try("modules", "require 'moontile.tl'\n")
try("our tables", "ref.add = nil\n" .. good)
try("a loop without end", "while true do end\n")
try("a reference without end", (good:gsub("reference = function%(x, size%)",
  "%0 while true do end")))

try("a slice", (good:gsub("ref.mul%(x.A, 2%)", "ref.mul(x.A[0:size.N], 2)")))

-- And the track behind is as it was.
print(report.text(judge.judge(puzzle.course "lib/track".puzzles[1], {text = solution,
  chunk = "@double.lua", target = "sim", seed = 3}), {width = 80, colour = 0, unicode = true}))
