local ages = {"ann": 3, "bob": 4}
print(ages)
