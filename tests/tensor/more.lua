-- What stands behind the last argument is not passed over.
for _, f in ipairs {
  function() return tl.zeros({4}, "float32", {foo = 1}) end,
  function() return tl.ones(2, 2, "float32", 3) end,
  function() return tl.full({4}, 1, "float32", {dtyp = "int8"}) end,
  function() return tl.randint(0, 3, {4}, "int8", {foo = 1}) end,
  function() return tl.randint(3, {4}, "int8", {foo = 1}) end,
  function() return tl.zeros_like(tl.ones({2}), "int8", {foo = 1}) end,
  function() return tl.from_table({1, 2}, "int8", {foo = 1}) end,
  function() return tl.full_like(tl.ones({2}), 3, "int8", {dtype = "int8"}) end,
  function() return tl.randint_like(tl.ones({2}), 0, 3, "int8", true) end,
  function() return tl.empty({4}, {dtype = "int8"}), tl.rand(4, 2, "float16"), tl.randn({4}), tl.zeros(3) end,
} do
  local ok, e = pcall(f)
  print(ok, ok and "" or tostring(e))
end
