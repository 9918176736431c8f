-- printing as NumPy prints
print(tl.from_table {1, 2.5, -3})
print(tl.from_table {{0.1, 0.25}, {1e3, 2}})
print(tl.from_table {1e-5, 1})
print(tl.from_table({1e300, 1e-300}, "float64"))
print(tl.from_table {0 / 0, 1 / 0, -1 / 0, 1.5})
print(tl.from_table {{1, -200}, {30, 4}})
print(tl.from_table {{true, false}})
print(tl.from_table({-1}, "uint64"))
print(tl.from_table({1 / 3}, "float64"), tl.from_table({1 / 3}, "float32"),
  tl.from_table({1 / 3}, "float16"), tl.from_table({1 / 3}, "bfloat16"))
print(tl.from_table(2.0), tl.from_table(3), tl.zeros {0}, tl.zeros {2, 0})
print(tl.arange(40))
print(tl.arange(12):reshape {2, 3, 2})
print(tl.arange(1001))
print(tl.arange(1200, "float32"):reshape {30, 40})
print(tl.arange(2000, "int16"):reshape {10, 10, 20}.dtype)
print(tl.randn({1024, 512}, "float16"))
local x = tl.zeros {64, 64}
x[0, 0] = 0 / 0
x[1, 1] = 1 / 0
print(x)
print((tl.ones({64, 64}, "bool")))
local big = tl.zeros({1, 4096, 4096}, "float16")
print((tostring(big):match("tensor.*$")))
