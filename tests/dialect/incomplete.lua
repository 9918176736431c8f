-- Which unfinished texts make a prompt ask for another line.
local dialect = require "moontile.dialect"

local function ask(text)
  local out, _, more = dialect.translate(text, "=stdin")
  local says = out and "complete" or more and "more" or "error"
  print(says, (text:gsub("\n", "\\n")))
end

for _, text in ipairs {
  "1 +", "x = 1 +", "f(", "f(1,", "f(1", "[[abc", "x = [==[ ]]", "--[[ c", "x =", "x", "x.", "x:", "x.y:z", "x[1",
  "x[1,", "x[1:", "x +=", "local", "local x <", "local x <const", "local x =", "local x", "function", "function f",
  "function f(", "function f(a,", "function f()", "if", "if x", "if x then", "if x then y()", "if x then else",
  "while x do", "for", "for i", "for i =", "for i = 1,", "for i = 1, 2", "for i in", "for i in f() do", "repeat",
  "repeat until", "do", "goto", "::a", "return f(", "return", "{", "x = {", "x = {1,", "'abc\\", "'abc\\z  ",
  "k = tl.jit(function(A)\n  A: T.Tensor({M}, T.float16)", "A: T.", "not", "-", "#", "x and", "",
  "= 3", ")", "x = 'abc", "x y", "x = )", "end", "x = 3 end", "x = 1e", "1 + 2", "'abc'", "break", "x = $", "f(]",
  "if True:", "for i in range(3):", "for i in range(3):\n  print(i)", "while x:", "  elif x:", "x = {a: 1", "x = {1:",
} do
  ask(text)
end
