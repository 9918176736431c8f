local a = tl.zeros({1000000, 1000000, 1000})
