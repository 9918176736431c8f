-- Whatever stands at the prompt, the assistant neither raises nor hangs, and what it
-- returns has its form.  The texts come from pieces, so that they often nearly parse.
local assist = require "moontile.repl.assist"

local env = {
  k = tl.jit(function(A) A: T.Tensor({64}, T.float32) for bx in T.Kernel(1) do T.fill(A, 1) end end),
  x = tl.zeros {2, 2}, deep = {a = {b = {c = 1}}},
  trap = setmetatable({}, {__index = function() error "called" end, __len = function() error "called" end,
    __pairs = function() error "called" end, __tostring = function() error "called" end,
    __name = setmetatable({}, {__index = function() error "called" end})}),
  loop = setmetatable({}, {}),
}
package.loaded["moontile.prompt"] = require("moontile.repl.help").stand_in(env)
require("moontile.help.given").prompt = package.loaded["moontile.prompt"]
getmetatable(env.loop).__index = env.loop

local pieces = {
  "T.", "T.gemm(", "tl.randn", "k:", "x.", "x:reshape(", "deep.a.b", "trap.", "trap:", "trap(", "loop.",
  "loop:m", "(", ")", "{", "}", "[", "]", "[[", "]]", "[==[", "--", "--[[", "\n", " ", ",", "=", "==",
  '"', "'", "\\", "..", "...", ":", "::", "?", "??", ":help ", ":load /", ":", "function", "end", "do",
  "for i, j in ", "if ", "then", "repeat", "until", "local ", "return ", "0x1p", "1e", "1.", "é", "矩阵",
  "\xff", "\0", "\t", "transpose_A", "float16", "<const>", "goto a", "+=", "A: T.Tensor(", "A[1:2, :]",
}
local seed = 12345
local function random(n) -- its own, so that the texts are the same everywhere
  seed = (seed * 1103515245 + 12345) & 0x7fffffff
  return (seed >> 8) % n + 1
end

local count, worst = 0, 0
for _ = 1, 4000 do
  local parts = {}
  for i = 1, random(14) do
    parts[i] = pieces[random(#pieces)]
  end
  local text = table.concat(parts)
  local point = random(#text + 1) - 1
  local r = assist.complete(text, point)
  assert(math.type(r.from) == "integer" and r.from >= 0 and r.from <= point, text)
  for _, w in ipairs(r.list) do
    assert(type(w.text) == "string" and (w.note == nil or type(w.note) == "string"), text)
  end
  local h = assist.hint(text, point, 20 + random(100))
  assert(h == nil or type(h) == "string" and not h:find "\n", text)
  assert(type(assist.open(text)) == "string", text)
  local n = assist.indent(text)
  assert(math.type(n) == "integer" and n >= 0, text)
  count = count + 1
end
print(count, "texts")

-- A text of 300 lines, at its end.
local lines = {"f = tl.jit(function(A, B, BM)"}
for i = 2, 300 do
  lines[i] = ("    local v%d = T.max(A[bx * 32, %d], 0) -- line %d of a long kernel"):format(i, i, i)
end
local text = table.concat(lines, "\n") .. "\n    T.gemm(A, B, C, tr"
assert(assist.open(text):find "function")
assert(assist.hint(text, #text, 80):find "T.gemm")
assert(#assist.complete(text, #text).list >= 2)
print "and a long one"
