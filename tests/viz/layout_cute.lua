-- CuTe's notation: read, composed, drawn, written back.
local cute = tl.layout.cute

local function row(l, n)
  local t = {}
  for j = 0, l.shape[2] - 1 do
    t[#t + 1] = l:at(n, j)
  end
  return table.concat(t, " ")
end

for _, text in ipairs {"(8,4):(4,1)", "(_8,_4):(_4,_1)", "((2,4),8):((1,16),2)", "(8,(4,2))", "((2,2),(2,2))",
  "Sw<3,4,3> o 0 o (8,64):(64,1)", "Sw<2,0,3> o _0 o (_8,_8):(_8,_1)", "Sw<2,3,-3> o 0 o (8,8):(8,1)",
  "Sw<2,0,3> o 5 o (4,4):(4,1)", "(6,2):(8,2) o (4,3):(3,1)", "20:2 o (5,4):(4,1)",
  "(10,2):(16,4) o (5,4):(1,5)", "(4,4):(0,1)"} do
  local l = cute(text)
  print(text, l:cute(), row(l, 1))
end
for _, text in ipairs {"12:3", "(4,3):(1,4) o 6:2", "(2,3,4)"} do
  print(text, cute(text):cute(), table.concat(cute(text).shape, " "))
end

-- what layouts are in that notation, and the same layout read back
for _, l in ipairs {tl.layout.linear {4, 6}, tl.layout.swizzle {rows = 8, bytes = 128, dtype = "float16"},
  tl.layout.padded({8, 64}, "float16")} do
  local back = cute(l:cute())
  print(l:cute(), back:text() == l:text())
end
for _, l in ipairs {tl.layout.mma("m16n8k16", "A"), tl.layout.mma("m16n8k16", "B"), tl.layout.mma("m16n8k16", "C"),
  tl.layout.wgmma(64, "D"), tl.layout.mma("m16n8k16", "C"):reduce(1)} do
  local back = cute(l:cute(), {tile = l.shape})
  print(l:cute(), back:text() == l:text(), back.copies)
end

local A = tl.layout.mfma("16x16x16", "A")
print(A:cute(), cute(A:cute(), {tile = {16, 16}, lanes = 64}):text() == A:text())

plot(cute "(8,(4,2)):(4,(1,32))", "cute")
plot(cute "Sw<2,0,3> o 0 o (8,8):(8,1)", "cute")
plot(cute "(4,4):(0,1)", "cute")
plot(cute("((4,8),(2,2)):((32,1),(16,8))", {tile = {16, 8}}), "cute", {rows = {0, 3}})
plot(tl.layout.linear {64, 64}, "cute", {rows = {0, 1}, width = 60})
plot(cute "((2,4),8):((1,16),2)")
plot(cute "12:5", "cute")
