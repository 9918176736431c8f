local a = tl.arange(0, 10, 0)
