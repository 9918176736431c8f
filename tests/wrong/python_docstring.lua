"""what it does"""
print(1)
