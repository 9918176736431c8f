local a = tl.zeros({4, 8})
print(a[1, 2, 3])
