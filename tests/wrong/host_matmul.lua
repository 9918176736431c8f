local a, b = tl.ones {2, 3}, tl.ones {4, 3}
print(a:matmul(b))
