print(math.max(1, 2)
print(3)
