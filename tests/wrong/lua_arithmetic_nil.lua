local n
print(n + 1)
