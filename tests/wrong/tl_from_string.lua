local a = tl.from_table({{1, 2}, {"x", 5}})
