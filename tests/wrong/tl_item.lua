print(tl.zeros({4, 8}):item(1))
