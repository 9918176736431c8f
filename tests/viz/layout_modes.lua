-- Digit tables and F2 matrices.
local s = tl.layout.swizzle {rows = 64, bytes = 128, mode = 128, dtype = "float16"}
plot(s, "modes")
plot(s, "f2")
local D = tl.layout.wgmma(64, "D")
plot(D, "modes")
plot(D, "f2", {unicode = false})
plot(D, "modes", {width = 40})
plot(tl.layout.mma("m16n8k16", "C"):reduce(1), "modes")
plot(tl.layout.mma("m16n8k16", "C"):reduce(1), "f2")

-- digits that are no powers of two
local odd = T.Fragment({192, 3}, {thread = function(i) return i % 96 end,
  index = function(i, j) return i // 96 * 3 + j end})
plot(odd, "modes")
plot(tl.layout.linear {3, 8, 8}, "modes")
plot(tl.layout.linear {3, 8, 8}, "f2")
plot(tl.layout.padded({8, 16}, "float16"), "modes")
