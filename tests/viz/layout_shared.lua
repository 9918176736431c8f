-- Memory: offsets, bytes, banks, chunks, before and after, frame by frame.
local s = tl.layout.swizzle {rows = 64, bytes = 128, mode = 128, dtype = "float16"}
plot(s)
plot(s, {owner = {21, 9}, before = false})
plot(s, "banks", {width = 120})
plot(s, "banks", {before = false})
plot(s, "address")
plot(s, "input", {cols = {0, 9}, rows = {0, 2}})
plot(s, "output", {rows = {6, 9}})
plot(tl.layout.swizzle {rows = 16, bytes = 64, mode = 32}, {dtype = "float32"})

plot(tl.layout.padded({8, 64}, "float16"), "banks")
plot(tl.layout.padded({8, 8}, "float16"), "output", {rows = {0, 3}})
plot(tl.layout.linear {40}, "banks")
plot(tl.layout.linear {4, 3, 5}, "input")

-- a function that gives coordinates, and one that is no sum of digits
local turned = T.Layout({4, 6}, function(i, j) return {j, i} end)
plot(turned)
plot(turned, "output")
plot(turned, {owner = {3, 1}})
plot(T.Layout({4, 4}, function(i, j) return (i * 4 + j) * 5 % 16 end))

plot(tl.layout.swizzle {rows = 8, bytes = 64, mode = 64, dtype = "float16"}, {animate = true})
plot(tl.layout.linear {2, 16}, "banks", {animate = "rows", dtype = "float32"})
