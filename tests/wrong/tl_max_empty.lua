print(tl.zeros({0}):max())
