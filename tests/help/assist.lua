-- Completion, hints, what is open, indentation: cases, one a line.  "|" is the cursor.
local assist = require "moontile.repl.assist"

prompt = require("moontile.repl.help").stand_in()
for name in pairs(_G) do
  prompt.baseline[name] = true
end
package.loaded["moontile.prompt"] = prompt
require("moontile.help.given").prompt = prompt
local env = prompt.env

env.x = tl.randn {4, 8}
env.mat = tl.jit(function(A, B, BM, BN)
  local M = T.const "M"
  A: T.Tensor({M}, T.float32)
  B: T.Tensor({M}, T.float32)
  for bx in T.Kernel(T.ceildiv(M, BM)) do
    for i in T.Parallel(BM) do
      B[bx * BM + i] = A[bx * BM + i] + BN
    end
  end
end)
env.k = env.mat:compile {M = 64, BM = 32, BN = 2}
env.l = tl.layout.mma("m16n8k16", "C")
env.settings = {alpha = 1, beta = {gamma = 2}, ["not a name"] = 3}
env.obj = setmetatable({own = 1}, {__index = {inherited = function(self, a, b) return a, b end}})
env.bad = setmetatable({}, {__index = function() error "never called" end,
  __pairs = function() error "never called" end})
env.greet = function(name, times, ...) return name, times, ... end

local function cursor(s)
  local at = s:find("|", 1, true)
  return s:sub(1, at - 1) .. s:sub(at + 1), at - 1
end

local function complete(s, most)
  local text, point = cursor(s)
  local r = assist.complete(text, point)
  local words = {}
  for i = 1, math.min(most or 6, #r.list) do
    local w = r.list[i]
    words[i] = w.text .. (w.note and " (" .. w.note:sub(1, 24) .. ")" or "")
  end
  if #r.list > #words then
    words[#words + 1] = "..."
  end
  print(("%-44s %q: %s"):format((s:gsub("\n", "\\n")), text:sub(r.from + 1, point),
    table.concat(words, ", ")))
end

print "--- names, fields, methods"
for _, s in ipairs {
  "T.ge|", "T.gemm|", "tl.rand|", "tl.layout.w|", "tl.te|", "k:be|", "k.na|", "x:re|", "x.sh|",
  "l:ow|", "mat:|", "settings.|", "settings.beta.|", "obj:|", "bad.|", "bad:|", "mat|", "nosuch.|",
  "nosuch:be|", "retu|", "local alpha = 1\nalp|", "for first, second in pairs(x) do fir|",
  "f(x).|", "1.|", "x..|", "('abc'):|", "", " |", "-- T.|", "x = [[ T.|", "__e|", "T.__e|",
} do
  if s:find("|", 1, true) then
    complete(s)
  end
end
print "--- arguments by name"
for _, s in ipairs {
  "T.gemm(A, B, C, tr|", "T.gemm(A, B, C, {|", "T.gemm(A, B, C, {transpose_A = true, |",
  "T.gemm(A, B, C, {transpose_A = true, tr|", "tl.gemm(a, b, {|", "k:bench{|", "k:check {si|",
  "mat(a, b, {B|", "mat:compile {B|", "T.copy(A, B, {coal|", "T.Kernel(4, {th|", "tl.randn(4, d|",
} do
  complete(s, 4)
end
print "--- strings"
for _, s in ipairs {
  'tl.randn({4}, "bf|', 'T.copy(A, B, {prefer_instruction = "|', "tl.set_target 'si|", 'k:ir("th|',
  'x:to("float1|', 'tl.randn(4, {dtype = "uint|', "T.reduce(a, b, 'ab|",
} do
  complete(s, 4)
end
print "--- commands and questions"
for _, s in ipairs {
  ":lo|", ":lang |", ":lang z|", ":help loc|", ":help T.gem|", ":load quick|", ":target si|",
  "?T.gem|", "??k|", "?loc|", "?x:resh|", ":nosuch |", ":time x:resh|", ":apropos |",
} do
  complete(s, 3)
end

print "--- hints"
for _, s in ipairs {
  "T.gemm(|", "T.gemm(A, B, |", "T.gemm(A, B, C, {transpose_B = |", "T.gemm(A, B, C, {policy|",
  "T.Kernel(1, |", "T.Kernel(1, {threads = |", "k(|", "mat(|", "mat(a, b, |", "mat:compile {BN = |",
  "k:bench {rounds = |", "x:reshape(|", "tl.randn({2, |", "tl.randn({2, 3}, |", "greet(1, |",
  "greet(1, 2, 3, |", "obj:inherited(1, |", "obj.inherited(|", "string.rep('x', |", "('x'):rep(|",
  "print(f(1), |", "T.fill(C, T.max(|", "(1 + |", "{1, |", "nosuch(|", "f(x)(|",
  "tl.jit(function(A)\n|", "-- T.gemm(|", "T.gemm(A, 'B,|", "tl.layout.swizzle {rows = 8, |",
  "T.copy(A[1, 2], |", "x[|", "T.reduce_sum(x,\n  y, |",
} do
  local text, point = cursor(s)
  print(("%-38s %s"):format((s:gsub("\n", "\\n")), assist.hint(text, point, 80) or "-"))
end
for _, width in ipairs {30, 50, 200} do
  print(assist.hint("T.gemm(A, B, ", 13, width))
end

print "--- open, indent"
for _, s in ipairs {
  "", "x = 1", "f(", "for i = 1, 3 do", "for i = 1, 3 do\n  g(", "f(function(a)", "{1, {2,",
  "if x then", "if x then\n  y()\nelse", "while a do\n  repeat", "repeat x() until", "do", "a[1",
  "x = [[", "x = [==[ ]]", "-- (", "--[[ (", "x = 'abc", 'x = "a\\"', "f = function() end",
  "local function f(a, b)", "for x in y do end", "if a then b() end", "f(function() end)",
  "T.gemm(A,\n  B,", "f = tl.jit(function(A)\n  for bx in T.Kernel(1) do\n    T.fill(A, 1)",
  ") end ]", "x = 1 -- (", "goto continue", "a = b[c[d",
} do
  print(("%-42s %-18s %d"):format((s:gsub("\n", "\\n")), assist.open(s), assist.indent(s)))
end
