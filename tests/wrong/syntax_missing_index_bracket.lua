local a = tl.zeros({4, 4})
print(a[1, 2)
