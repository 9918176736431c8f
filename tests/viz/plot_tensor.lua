-- plot(t): heat maps, bars and curves of tensors.
tl.manual_seed(3)
local function show(what, ...)
  print("=== " .. what)
  plot(...)
end

local S = require("moontile.stage").slice
show("signs mix", tl.randn {6, 10})
show("all above 0", tl.rand {6, 10})
show("numbers", tl.randn {4, 5}, {values = true})
show("integers", tl.arange(24, "int32"):reshape {4, 6}, {values = true})
local t = tl.randn {4, 8}
t[{1, 2}], t[{3, 7}], t[{0, 0}] = 0 / 0, 1 / 0, -1 / 0
show("NaN and infinity", t)
show("nothing finite", tl.empty {2, 3})
show("one value", tl.full({3, 3}, 7))
show("bool", tl.rand {4, 8}:lt(0.5))
show("few bytes", tl.randn({4, 8}, "float8_e4m3fn"))
show("large: means of blocks", tl.randn({512, 300}, "float16"))
show("a part", tl.randn({512, 300}, "float16"), {rows = {500, 511}, cols = {290, 299}})
show("a view", tl.arange(32):reshape {4, 8}:transpose(0, 1), {values = true})
show("three dimensions", tl.arange(24):reshape {2, 3, 4}, {values = true})
show("its second slice", tl.arange(24):reshape {2, 3, 4}, {values = true, slice = {1}})
show("four", tl.arange(48):reshape {2, 2, 3, 4}, {values = true, slice = {1, 1}})
show("a row", tl.randn {1, 8})
show("bars", tl.randn {6})
show("a curve", tl.ref.exp(tl.arange(0, 4, 0.05, "float32")))
show("a long one", tl.arange(100000))
show("a scalar", tl.full({}, 2.5))
show("40 columns", tl.randn {64, 64}, {width = 40})
show("ASCII", tl.randn {6}, {unicode = false})
show("colour", tl.randn {4, 4}, {colour = 8, width = 40})
show("half blocks", tl.arange(12 * 16):reshape {12, 16}, {colour = 24, width = 24, unicode = true})

for _, bad in ipairs {
  {rows = {4, 9}}, {cols = {8, 9}}, {rows = {3, 1}}, {slice = {0}}, {slice = "x"}, {colour = 3},
  {valves = true}, {cells = "tiny"},
} do
  print(select(2, pcall(plot, tl.zeros {4, 8}, bad)))
end
print(select(2, pcall(plot, tl.zeros {2, 4, 8}, {slice = {2}})))
print(select(2, pcall(plot, tl.zeros {0, 8})))
