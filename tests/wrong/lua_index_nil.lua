local options = {}
print(options.size.rows)
