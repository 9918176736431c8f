local a = tl.zeros({4, 8})
print(a:sums())
