-- Tracks of somebody else's that are hostile: their Lua runs in a process of its own, behind
-- limits; what they say is checked and cleaned; the program goes on.
local judge = require "moontile.puzzles.judge"
local markdown = require "moontile.puzzles.course.markdown"
local puzzle = require "moontile.puzzles.judge.puzzle"
local sandbox = require "moontile.puzzles.judge.sandbox"
local texts = require "moontile.puzzles.judge.texts"

local tmp = os.getenv "TMP"
local solution = io.open "../judge/lib/track/01-double/solution.lua":read "a"
local good = io.open "../judge/lib/track/01-double/puzzle.lua":read "a"
os.execute(("mkdir -p '%s/01-double/wrong'"):format(tmp))

local function write(path, text)
  local f = assert(io.open(tmp .. "/" .. path, "wb"))
  f:write(text)
  f:close()
end

local function files(text, index)
  write("index.lua", index or 'return {puzzles = {"01-double"}}\n')
  write("01-double/puzzle.lua", text)
end
write("01-double/solution.lua", solution)

-- What is not for a terminal is shown as "?", and reported.
local function shown(s)
  return (s:gsub("[\0-\8\11-\31\127]", "?!"):gsub("\u{9b}", "?!"):gsub("\u{202e}", "?!"))
end

-- The first lines of what opening and judging says.
local function try(what, text, index)
  files(text, index)
  local ok, r = pcall(function()
    local p = puzzle.course(tmp).puzzles[1]
    local v = judge.judge(p, {text = solution, chunk = "@double.lua", target = "sim", seed = 3})
    return v.outcome .. (v.error and ": " .. v.error.text or "") ..
      (v.goal and ": " .. v.sentence.en .. " " .. (v.goal.found and v.goal.found.en or "") or "")
  end)
  r = tostring(r):gsub(tmp, "TMP"):gsub("tracks.lua:%d+[:%d]*: ", ""):gsub("(E784.*)\nhelp.*", "%1")
  print(("%-26s %s"):format(what, shown(r:match "^[^\n]*"):sub(1, 170)))
  return ok
end

local function part(fields)
  return (good:gsub("precision = {[^}]*}", function(s) return s .. ", " .. fields end))
end

local function reference(body)
  return (good:gsub("(reference = function%(x, size%)).-\n      end,", function(s)
    return s .. " " .. body .. " end,"
  end))
end

print "== what is there for them"
for _, code in ipairs {"io.open '/etc/passwd'", "os.getenv 'HOME'", "require 'moontile.keep'", "load 'x = 1'",
  "dofile 'x'", "debug.getregistry()", "getmetatable('').__index = nil", "setmetatable({}, {__gc = print})",
  "coroutine.wrap(print)", "collectgarbage()", "print 'hello'", "tl.save('x.npy', tl.zeros {1})", "tl.load 'x.npy'",
  "tl.jit(print)", "tl.connect 'http://127.0.0.1:1'", "_G.x = 1", "tl.zeros {1}:save 'x'",
  "string.dump(assert)", "(''):dump()"} do
  try(code, code .. "\n" .. good)
end
try("nothing is left behind", "string.format = nil\nmath.pi = 3\nref.add = nil\n" .. good)
try("as it is", good)

print "== without end"
sandbox.limits.instructions = 20 * 1000 * 1000
try("a loop", "while true do end")
try("a loop in index.lua", good, "while true do end")
try("in the reference", reference "while true do end")
try("in a fill", (good:gsub('dtype = "float16"}}', 'dtype = "float16", fill = function() while true do end end}}', 1)))
try("in the steps", (good:gsub("steps = 2", "steps = function() while true do end end")))
try("in a goal", part 'goals = {{id = "g", en = "e", zh = "z", test = function() while true do end end}}')
try("in a shape", (good:gsub('"N"}', '"(function() while 1 do end end)()"}', 1)))
try("recursion", "local function f() return f() .. f() end f()")
sandbox.limits.seconds = 0.3
try("a pattern", "local x = ('a'):rep(40):find(('a*'):rep(40) .. 'b')")
try("table.move", "table.move({}, 1, 1 << 60, 2)")
sandbox.limits.seconds = 5

print "== without measure"
sandbox.limits.memory = 64 << 20
try("a string", "local s = ('x'):rep(1 << 40)")
try("many strings", "local t = {} for i = 1, 1e9 do t[i] = ('x'):rep(1 << 20) .. i end")
try("a tensor", reference "return {B = tl.zeros {1 << 20, 1 << 20}}")
try("a title", (good:gsub('en = "Twice"', 'en = ("x"):rep(1 << 26)')))
try("tables in tables", "local t = {} t.t = t return t")
try("many tables", "local t = {} local l = t for i = 1, 1000 do l.x = {} l = l.x end return t")
try("a size", (good:gsub("{N = 64}", "{N = 1 << 40}")))
try("a size that fits", (good:gsub("{N = 64}", "{N = 1 << 30}")))
try("many sizes", (good:gsub("visible = {", "visible = {" .. ("{N = 1},"):rep(1000))))
try("large", part "large = {N = 1 << 31}")
try("many parts", (good:gsub("return {", "local r = {", 1)) ..
  "for i = 2, 1000 do r.parts[i] = r.parts[1] end return r")
try("many puzzles", good, "local p = {} for i = 1, 1e5 do p[i] = '01-double' end return {puzzles = p}")
sandbox.limits.memory = 256 << 20

print "== fields that are none"
try("a function", (good:gsub('name = "double"', 'name = print', 1)))
try("a function as a puzzle", "return function() end")
try("a function as an index", good, "return function() end")
try("a tensor", (good:gsub("minutes = 1", "minutes = tl.zeros {1}")))
try("half a minute", (good:gsub("minutes = 1", "minutes = 0.5")))
try("no number", (good:gsub("minutes = 1", "minutes = 0/0")))
try("a name of two lines", (good:gsub('name = "double"', 'name = "a\\nfrom /tmp/x"', 1)))
try("a part's name", (good:gsub('      name = "double"', '      name = "a\\27[31m"', 1)))
try("a dtype", (good:gsub('"float16"', '"float16\\27[31m"', 1)))
try("lanes", part 'warps = {"64 -x"}')
try("a hidden range", (good:gsub("N = {2, 300}", "N = {300, 2}")))
try("a hidden step", (good:gsub("N = {2, 300}", "N = {2, 300, 0}")))
try("a negative size", (good:gsub("{N = 64}", "{N = -1}")))
try("half a size", (good:gsub("{N = 64}", "{N = 0.5}")))
try("an edge", (good:gsub('shape = {"N"}', 'shape = {"N"}, edge = {"x"}', 1)))
try("a config", (good:gsub('{"BLOCK", 64}', '{"BLOCK", {}}')))
for _, item in ipairs {"N//0", "N+", "((N", "N N", "N^2", "1e9", "0x10", "-N", "N*N*N*N*N*N*N*N*N*N*N*N", "K", "",
  ("("):rep(30) .. "N" .. (")"):rep(30)} do
  try("shape " .. item:sub(1, 12), (good:gsub('"N"}', ('"%s"}'):format(item), 1)))
end

print "== answers that are none"
try("no table", reference "return 1")
try("no tensor", reference "return {B = {}}")
try("another shape", reference "return {B = tl.zeros {size.N + 1}}")
try("another dtype", reference "return {B = x.A}")
try("an error", reference "error 'a\\27[31mb'")
try("an error that is a table", reference "error {}")
try("a fill of a wrong shape", (good:gsub('dtype = "float16"}}',
  'dtype = "float16", fill = function(s, n, t) return t.zeros({1}, "float16") end}}', 1)))
try("a goal that is not met", part
  'goals = {{id = "g", en = "e\\27[2J", zh = "z", test = function(f) return false, "found \\27]0;x\\7 %s %d" end}}')

print "== what reaches the terminal"
files((good:gsub('en = "Twice"', 'en = "T\\27[31mw\\nice\\u{202e}"')))
write("01-double/en.md", "# A\27]0;title\7 head\r\n\27[2J\27[H a \u{9b}31m line\8\8\8\n\n```lua\n-- \27[31m code\n```\n\xFF\xC2\1\x9B end\n")
write("01-double/hints.en.md", "## idea\n\n" .. ("a hint\27[5m "):rep(90000))
write("01-double/starter.lua", "-- \27]52;c;aGVsbG8=\7\nx = 1\n")
local p = puzzle.course(tmp).puzzles[1]
print(p.title.en)
print(shown(markdown.text(texts.statement(p, false), {width = 60, colour = 0, unicode = true})))
print(#texts.hints(p, false)[1].text, texts.hints(p, false)[1].text:sub(1, 20))
print(shown(p.read "starter.lua"))
write("01-double/hints.en.md", ("x"):rep(2 << 20))
print(select(2, pcall(texts.hints, p, false)))

print "== files that are none"
local run = os.execute
for _, make in ipairs {"ln -s /etc/passwd", "mkdir", "mkfifo", "ln -s /dev/zero", "ln -s nowhere"} do
  run(("cd '%s/01-double' && rm -f en.md && %s en.md"):format(tmp, make))
  print(make, p.read "en.md")
  run(("cd '%s/01-double' && rm -rf en.md"):format(tmp))
end
print("..", p.read "../index.lua", p.read "wrong/../../index.lua")
run(("cd '%s' && mv 01-double real && ln -s real 01-double"):format(tmp))
print(select(2, pcall(puzzle.course, tmp)))
run(("cd '%s' && rm 01-double && mv real 01-double"):format(tmp))

print "== the target of a wrong solution"
write("01-double/starter.lua", "-- nothing\n")
write("01-double/en.md", "# A\n")
write("01-double/hints.en.md", "## idea\n\nx\n")
write("01-double/wrong/a.lua", "-- expect: wrong\n-- target: remote -url=http://127.0.0.1:1\n" .. solution)
write("01-double/wrong/b.lua", "-- expect: wrong\n-- target: cpu -cc=/tmp/x\n" .. solution)
print "== wrong solutions as changes"
local function diff(name, text)
  write("01-double/wrong/" .. name .. ".diff", "expect: wrong\n" .. text)
end
diff("changed", "Not doubled.\n@@\n     for i in T.Parallel(BLOCK) do\n" ..
  "-      B[bx * BLOCK + i] = A[bx * BLOCK + i] * 2 + T.cast(bx * BLOCK + i, T.float32)\n" ..
  "+      B[bx * BLOCK + i] = A[bx * BLOCK + i]\n     end\n")
diff("none", "")
diff("absent", "@@\n-    for i in T.Parallel(64) do\n")
diff("nothing", "@@\n+    for i in T.Parallel(64) do\n")
diff("twice", "@@\n-  end\n@@\n-  end\n")
diff("marks", "@@\n*  end\n")
diff("again", "@@\n-  return B\n@@\n   return B\n end)\n")
diff("unread", "@@\n-  return B\n")
diff("part", "part: no\n@@\n-  return B\n")
files(good)
require("moontile.puzzles.judge.verify").run {from = tmp, quick = true, seeds = 1, write = function(s)
  for line in s:gmatch "[^\n]+" do
    if line:find "wrong/" then
      print(line)
    end
  end
end}
