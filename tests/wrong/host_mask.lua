local t = tl.arange(6):reshape {2, 3}
t[tl.ones({3}, "bool")] = 0
