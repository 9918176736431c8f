local ages = {ann: 3}
print(ages)
