local a = tl.from_table({{1, 2, 3}, {4, 5}})
