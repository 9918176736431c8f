local a = tl.zeros({4, 8}):sum(2)
