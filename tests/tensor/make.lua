-- making tensors: shapes, dtypes, defaults, seeds
print(tl.zeros({2, 3}), tl.zeros({2}).dtype, tl.zeros(2, 3).dtype, tl.zeros(4, "int8"))
print(tl.ones({2}, "bool"), tl.full({2}, 7), tl.full({2}, 7).dtype, tl.full({2}, 2.5).dtype)
print(tl.arange(5), tl.arange(1, 4), tl.arange(10, 0, -3), tl.arange(0, 1, 0.25))
print(tl.arange(3).dtype, tl.arange(0.0, 3).dtype, tl.arange(3, "float16").dtype)
print(tl.empty({3}), tl.empty({2}, "int8"), tl.empty({2}, "uint8"))
print(tl.from_table {{1, 2}, {3, 4}}, tl.from_table({1.5, -1.5}, "int32"), tl.from_table(3.5))
print(tl.from_table({{true, false}}).dtype, tl.from_table({}).dtype)

-- packed and narrow types
print(tl.from_table({-8, 7, 3}, "int4"), tl.from_table({1, 15}, "uint4"):nbytes())
print(tl.from_table({1 / 3, 65520, 1e-8}, "float16"), tl.from_table({1 / 3}, "bfloat16"))
print(tl.from_table({1 / 3, 500, -500}, "float8_e4m3fn"), tl.from_table({1e9}, "float8_e5m2"))
print(tl.from_table({1 + 2 ^ -11, 1 + 3 * 2 ^ -11}, "tfloat32") - 1)
print(tl.from_table({2 ^ 62 + 0.0, -2.0 ^ 63}, "int64"))

-- random numbers: the same on every machine
print(tl.randn {4}, tl.rand({3}, "float16"), tl.randint(-2, 3, {8}, "int8"))
tl.manual_seed(0)
local a = tl.randn {4}
print(a, tl.randint(10, {4}))
tl.manual_seed(42)
print(tl.randn({2, 2}, "float64"))
tl.manual_seed(42)
print(tl.randn({4}, "float16"))

-- like another
local x = tl.zeros({2, 2}, "float16")
for _, f in ipairs {"zeros_like", "ones_like", "empty_like"} do
  local y = tl[f](x)
  print(f, y.dtype, y)
end
print(tl.full_like(x, 3), tl.randn_like(x, "float32").dtype, tl.randint_like(x, 0, 1, "int8"))

-- what is wrong is said
local function try(f, ...)
  local ok, e = pcall(f, ...)
  print(ok and "no error" or e.code .. " " .. e.message .. " | " .. e.label)
end
try(tl.zeros, {2, -1})
try(tl.zeros, {1, 2, 3, 4, 5, 6, 7, 8, 9})
try(tl.zeros, "x")
try(tl.zeros, {2}, "float17")
try(tl.zeros, {2}, {dtyp = "int8"})
try(tl.zeros, {1 << 40, 8})
try(tl.from_table, {{1, 2}, {3}})
try(tl.from_table, {{1, 2}, 3})
try(tl.from_table, {1, "x"})
try(tl.randint, 3, 3, {2})
try(tl.arange, 0, 1, 0)
try(tl.manual_seed, "now")

-- an integer dtype holds what it holds, whoever stores it (floats: rounded, to inf if large)
local range = tl.zeros({2}, "uint8")
for _, f in ipairs {
  function() return tl.full({4}, 300, "uint8") end,
  function() return tl.from_table({{0, 1}, {2, -1}}, "uint8") end,
  function() range[0] = 256 end,
  function() range[{1}] = -1 end,
  function() range:fill_(1e30) end,
  function() return tl.full({1}, 8, "int4") end,
  function() return tl.full({1}, -9, "int4") end,
  function() return tl.full({1}, 16, "uint4") end,
  function() return tl.full({1}, 1 << 31, "int32") end,
  function() return tl.full({1}, 2.0 ^ 63, "int64") end,
  function() return tl.full({1}, 2.0 ^ 64, "uint64") end,
  function() return tl.full({1}, -1.0, "uint64") end,
  function() return tl.full({1}, 0 / 0, "int32") end,
  function() return tl.from_table({1 / 0}, "int64") end,
  function() return tl.full_like(range, -1) end,
  function() return tl.arange(250, 260, 1, "uint8") end,
  function() return tl.arange(2, -2, -1, "uint8") end,
  function() return tl.randint(0, 257, {4}, "uint8") end,
  function() return tl.randint(-1, 2, {4}, "uint8") end,
} do try(f) end
print(range, tl.full({2}, 255, "uint8"), tl.full({1}, -8, "int4"), tl.full({1}, 255.9, "uint8"))
print(tl.full({1}, true, "uint4"), tl.full({1}, -1, "uint64"), tl.full({1}, 2.0 ^ 63, "uint64"))
print(tl.full({1}, 300, "bool"), tl.full({1}, 1e6, "float16"), tl.randint(0, 256, {2}, "uint8"))
print(tl.arange(250, 256, 1, "uint8"), tl.arange(3, -1, -1, "uint8"))
