-- What is refused of layouts, in both languages: code, title, label, help.
local lang = require "moontile.diag".setlang
local layout = tl.layout

local function try(what, f, ...)
  print(("-- %s"):format(what))
  lang "zh"
  local _, zh = pcall(f, ...)
  if type(zh) == "userdata" then
    zh = ("   %s | %s | %s"):format(zh.message, zh.label, zh.help)
  end
  lang "en"
  local ok, e = pcall(f, ...)
  if ok then
    print("no error")
  elseif type(e) == "string" then
    print("a plain string: " .. e)
  else
    print(("%s %s: %s"):format(e.code, e.id, e.message))
    print(("   %s | %s"):format(e.label, e.help))
    print(zh)
  end
end

local function annotate(what, scope, shape, l)
  local f = tl.jit(function(A)
    A: T.Tensor({64, 64}, "float32")
    for bx in T.Kernel(1, {threads = 128}) do
      local x = scope == "shared" and T.alloc_shared(shape, "float32") or T.alloc_fragment(shape, "float32")
      T.annotate_layout {[x] = l}
      T.clear(x)
    end
  end)
  try(what, f.compile, f)
end

annotate("rotated rows", "fragment", {8, 8}, T.Fragment({8, 8}, {
  thread = function(i) return i end, index = function(i, j) return (i + j) % 8 end}))
annotate("thread and slot", "fragment", {32}, T.Fragment({32}, {
  thread = function(i) return i // 2 end, index = function(i) return i end}))
annotate("one element elsewhere", "shared", {8, 8}, T.Layout({8, 8}, function(i, j)
  return i * 8 + j + (i == 5 and 100 or 0)
end))
annotate("a sum of indices", "shared", {16, 16}, function(i, j) return i + j end)
annotate("quadratic", "shared", {16}, function(i) return i * i end)
annotate("another shape", "shared", {8, 8}, T.Layout({8, 16}, function(i, j) return i * 16 + j end))
annotate("a Fragment for memory", "shared", {8, 8}, layout.mma("m8n8k4", "C"))
annotate("fractions", "shared", {8}, function(i) return i / 3 end)
annotate("an error inside", "shared", {8}, function(i) return i + nil end)
annotate("threads without end", "fragment", {4096}, T.Fragment({4096}, {
  thread = function(i) return i end, index = function() return 0 end}))
annotate("lanes by threes", "fragment", {9}, T.Fragment({9}, {
  thread = function(i) return i % 3 * 4 end, index = function(i) return i // 3 end}))

local L = T.Layout({4, 8}, function(i, j) return {j, i} end)
local F = layout.mma("m16n8k16", "C")
try("outside", L.at, L, 4, 0)
try("rank", L.at, L, 4)
try("a method of Fragments", L.replicate, L, 2)
try("a method of Layouts", F.conflicts, F)
try("repeats", F.repeat_, F, {2})
try("factor", L.repeat_, L, 0, 0)
try("dim", L.repeat_, L, 2, 2)
try("reshape", L.reshape, L, {5, 7})
try("compose", L.compose, L, T.Layout({4}, function(i) return {i, i, i} end))
try("access", L.conflicts, L, {access = "diagonals"})
try("an unknown shape", layout.mma, "m16n8k17", "A")
try("an unknown type", layout.mma, "m16n8k16", "A", {dtype = "float64"})
try("an unknown operand", layout.mma, "m16n8k16", "E")
try("B of wgmma", layout.wgmma, 64, "B")
try("n of wgmma", layout.wgmma, 60, "D")
try("no swizzle", layout.swizzle, {rows = 8, bytes = 96, mode = 128})
try("cute: number", layout.cute, "(8,x)")
try("cute: parenthesis", layout.cute, "(8,4")
try("cute: form", layout.cute, "(8,4):(4,(1,2))")
annotate("cute: one place", "shared", {8, 4}, layout.cute "(8,4):(1,0)")
annotate("cute: overlap", "shared", {8, 4}, layout.cute "(8,4):(1,4)")
try("cute: behind", layout.cute, "(8,4) 7:(4,1)")
try("no digit map", layout.parse, "[8,8] off(0/1:8*8)")
